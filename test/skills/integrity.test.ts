import { chmodSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { LOCK_FILE } from '../../src/skills/lock-file.ts';
import { boot, bootFaults, makeRepository } from './boots.ts';
import { methodSkill, noteSkill, skillMd, toolJson, writeSkill } from './skill-dirs.ts';

const CHANGES: readonly (readonly [what: string, change: (root: string) => void, reason: RegExp])[] = [
  [
    'an edited SKILL.md',
    (root) => writeFileSync(join(root, 'do-it-well/SKILL.md'), skillMd('do-it-well', 'Else.')),
    /do-it-well: SKILL\.md was changed/,
  ],
  [
    'an edited tool.json',
    (root) => writeFileSync(join(root, 'make-note/tool.json'), toolJson({ version: '2' })),
    /make-note: tool\.json was changed/,
  ],
  [
    'an edited template',
    (root) => writeFileSync(join(root, 'make-note/templates/note.md'), '{{title}}'),
    /make-note: templates\/note\.md was changed/,
  ],
  [
    'an edited reference',
    (root) => writeFileSync(join(root, 'do-it-well/references/more.md'), ''),
    /references\/more\.md was changed/,
  ],
  [
    'a changed mode',
    (root) => chmodSync(join(root, 'do-it-well/scripts/run.sh'), 0o755),
    /scripts\/run\.sh was made executable/,
  ],
  ['an added file', (root) => writeFileSync(join(root, 'do-it-well/extra'), ''), /extra was added/],
  [
    'a directory without a pin',
    (root) => void writeSkill(root, 'unpinned', methodSkill('unpinned')),
    /unpinned: is not pinned/,
  ],
  [
    'a pin without a directory',
    (root) => rmSync(join(root, 'do-it-well'), { recursive: true }),
    /do-it-well: is pinned, but the directory is not there/,
  ],
  [
    'a link instead of a directory',
    (root) => symlinkSync(join(root, 'do-it-well'), join(root, 'linked')),
    /linked: is a link/,
  ],
  [
    'a link inside a skill',
    (root) => symlinkSync('/etc/passwd', join(root, 'do-it-well/x')),
    /do-it-well\/x: is a symbolic link/,
  ],
  ['no lock file', (root) => rmSync(join(root, LOCK_FILE)), /skills\.lock\.json: is missing/],
  [
    'a lock file that is no JSON',
    (root) => writeFileSync(join(root, LOCK_FILE), '{'),
    /skills\.lock\.json:1:\d+: is not JSON/,
  ],
  [
    'a lock file of another format',
    (root) => writeFileSync(join(root, LOCK_FILE), '{"format":2,"skills":{}}'),
    /skills\.lock\.json:1:\d+: \/format/,
  ],
  ['no directory at all', (root) => rmSync(root, { recursive: true }), /cannot be read \(ENOENT\)/],
];

describe('integrity', () => {
  it.each(CHANGES)(
    '[S1-11 S1-T6] %s refuses the shipped repository whole; the boot goes on and the status says why',
    (_what, change, reason) => {
      const root = makeRepository();
      change(root);
      const { tools, methodology, refusals, statuses } = boot(root);
      expect([tools, methodology]).toEqual([[], []]);
      expect(statuses[0]?.status).toMatch(/^the shipped skill repository was refused: /);
      expect(`${refusals[0]?.source.replace(`${root}/`, '')}: ${refusals[0]?.reason}`).toMatch(reason);
    },
  );

  it.each(CHANGES)(
    '[S1-39 S1-T7] %s in a directory of the operator stops the boot, with file and remedy',
    (_what, change, reason) => {
      const root = makeRepository();
      change(root);
      const [fault] = bootFaults(root);
      const place = [fault?.source.replace(`${root}/`, ''), fault?.line, fault?.column].filter(
        (part) => part !== undefined,
      );
      expect(`${place.join(':')}: ${fault?.message}`).toMatch(reason);
      expect(fault?.remedy).toContain(`tool-broker skills pin ${root}`);
    },
  );

  it.each(['render_nothing', 'constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    '[S1-12 S1-36 S1-T8] an unknown handler (%s) refuses the whole repository, and names the known ones',
    (handler) => {
      const root = makeRepository({
        'second-note': noteSkill('second-note', { tool_id: 'second_note', handler }),
      });
      const { tools, refusals, pinnedRefs } = boot(root);
      expect(tools).toEqual([]);
      expect(refusals[0]).toMatchObject({
        ref: 'second_note@1',
        source: expect.stringMatching(/second-note\/tool\.json:4:/) as string,
      });
      expect(refusals[0]?.reason).toMatch(
        /does not exist\. Known: render_calendar, render_csv, render_html, render_markdown, render_pdf/,
      );
      expect(pinnedRefs).toEqual(['make_note@1', 'second_note@1']);
      expect(bootFaults(root)).toHaveLength(1);
    },
  );

  it('[S1-40 S1-T9] half an installation is impossible: with the last skill broken the first is not there either', () => {
    const root = makeRepository({ 'zz-note': noteSkill('zz-note') });
    const { tools, refusals } = boot(root);
    expect(tools).toEqual([]);
    expect(refusals[0]?.reason).toMatch(/is make_note@1, and so is make-note\/tool\.json/);
  });

  it('a pin whose ref is not that of the skill refuses the repository', () => {
    const root = makeRepository();
    const lock = join(root, LOCK_FILE);
    writeFileSync(lock, readFileSync(lock, 'utf8').replace('make_note@1', 'create_pdf@1'));
    expect(boot(root).refusals[0]?.reason).toMatch(/is pinned as create_pdf@1, but is make_note@1/);
  });

  it('reports every fault of every directory at once', () => {
    const [first, second] = [makeRepository(), makeRepository()];
    writeFileSync(join(first, 'make-note/new'), '');
    writeFileSync(join(second, 'do-it-well/new'), '');
    const directories = [
      { label: 'first', root: first },
      { label: 'second', root: second },
    ];
    const { faults } = boot(makeRepository(), directories);
    expect(faults.map((fault) => fault.message).join('\n')).toMatch(/new was added[^]*new was added/u);
  });
});
