import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { BootError } from '../../src/core/boot-error.ts';
import { createShelf } from '../../src/core/shelf.ts';
import { isThirdParty } from '../../src/core/tool.ts';
import { loadSkills } from '../../src/skills/load-skills.ts';
import { LOCK_FILE } from '../../src/skills/lock-file.ts';
import {
  CONTEXT,
  load,
  makeDirectory,
  methodSkill,
  noteSkill,
  pin,
  skillMd,
  toolJson,
  writeSkill,
  type Files,
} from './skill-dirs.ts';

const typesetter = { typeset: () => Promise.reject(new Error('no PDF is set in this test')) };

/** A pinned repository with a skill of each kind. */
function makeRepository(skills: Readonly<Record<string, Files>> = {}): string {
  const root = makeDirectory();
  writeSkill(root, 'make-note', noteSkill());
  writeSkill(root, 'do-it-well', methodSkill());
  for (const [name, files] of Object.entries(skills)) writeSkill(root, name, files);
  pin(root);
  return root;
}

function boot(shippedRoot: string, directories: { label: string; root: string }[] = []) {
  return loadSkills({ shippedRoot, directories, typesetter });
}

function bootFaults(root: string): BootError['faults'] {
  try {
    boot(makeRepository(), [{ label: 'ours', root }]);
  } catch (error) {
    if (error instanceof BootError) return error.faults;
    throw error;
  }
  throw new Error('the boot went on');
}

async function runNote(tool: ReturnType<typeof boot>['tools'][number] | undefined, args = { title: 'Milk' }) {
  const result = await tool?.execute(args, CONTEXT);
  if (result?.status !== 'ok') throw new Error(JSON.stringify(result));
  return {
    output: result.output,
    text: Buffer.from(result.file?.bytes ?? []).toString('utf8'),
    file: result.file,
  };
}

describe('a pinned repository', () => {
  it('[S1-8 S1-9 S1-35] gives executable skills as tools of kind skill and methodology skills as texts', () => {
    const { tools, methodology, refusals, statuses, pinnedRefs } = boot(makeRepository());
    expect(tools.map(({ spec }) => spec)).toEqual([
      expect.objectContaining({
        name: 'make_note',
        version: '1',
        kind: 'skill',
        origin: 'repository',
        lane: 'inline',
        description: 'Does a thing. Use it when the thing is wanted.',
        summary: 'Does a thing.',
        produces: ['text/markdown'],
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
      }),
    ]);
    expect(methodology).toEqual([
      expect.objectContaining({ name: 'do-it-well', body: '\n# How\n\nDo it.\n', origin: 'repository' }),
    ]);
    expect([...(methodology[0]?.files.keys() ?? [])]).toEqual([
      'assets/dot.bin',
      'references/more.md',
      'scripts/run.sh',
    ]);
    expect(refusals).toEqual([]);
    expect(statuses).toEqual([{ origin: 'repository', status: '2 skills loaded and digest-checked' }]);
    expect(pinnedRefs).toEqual(['make_note@1']);
  });

  it('[S1-T10] makes third-party tools out of the directory of an operator', () => {
    const ours = makeDirectory();
    writeSkill(ours, 'our-note', noteSkill('our-note', { tool_id: 'our_note' }));
    pin(ours);
    const { tools } = boot(makeRepository(), [{ label: 'ours', root: ours }]);
    const origins = tools.map(({ spec }) => spec.origin);
    expect(origins).toEqual(['repository', 'directory:ours']);
    expect(origins.map(isThirdParty)).toEqual([false, true]);
  });
});

describe('integrity', () => {
  const each = it.each<[string, (root: string) => void, RegExp]>([
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
  ]);

  each(
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

  each(
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
    try {
      boot(makeRepository(), [
        { label: 'first', root: first },
        { label: 'second', root: second },
      ]);
      expect.unreachable();
    } catch (error) {
      expect((error as BootError).faults).toHaveLength(2);
    }
  });
});

describe('format', () => {
  it.each<[string, Files, RegExp]>([
    ['no SKILL.md', { 'notes.md': 'x' }, /SKILL\.md: is missing/],
    ['no name', { 'SKILL.md': '---\ndescription: x\n---\n' }, /SKILL\.md:1:1: name is missing/],
    ['malformed YAML', { 'SKILL.md': '---\nname: [\n---\n' }, /SKILL\.md:\d+:\d+: is not valid YAML/],
    [
      'another name than the directory',
      { 'SKILL.md': skillMd('other') },
      /must equal the directory, which is "bad"/,
    ],
    [
      'a tool.json that is no JSON',
      { ...noteSkill('bad'), 'tool.json': '{ "a": 1, }' },
      /tool\.json:1:11: is not JSON/,
    ],
    [
      'a key twice',
      { ...noteSkill('bad'), 'tool.json': '{"tool_id": "a",\n"tool_id": "b"}' },
      /tool\.json:2:1: the key "tool_id" stands twice/,
    ],
    [
      '__proto__ in tool.json',
      { ...noteSkill('bad'), 'tool.json': '{"__proto__": {}}' },
      /"__proto__" is not allowed/,
    ],
    [
      'an unknown member',
      noteSkill('bad', { entry_point: 'x' }),
      /tool\.json:1:1: has members that are not known: "entry_point"/,
    ],
    ['a number as version', noteSkill('bad', { version: 1 }), /tool\.json:3:14: \/version must be string/],
    ['latest as version', noteSkill('bad', { version: 'latest' }), /"latest" is no version/],
    [
      'a schema that is no object',
      noteSkill('bad', { input_schema: { type: 'string' } }),
      /\/input_schema must have "type": "object"/,
    ],
    [
      'a template that is not there',
      noteSkill('bad', { output: { media_type: 'text/markdown', file_name: 'a.md', template: 'no.md' } }),
      /\/output\/template "no\.md" is not a file of this skill/,
    ],
    [
      'a template outside',
      noteSkill('bad', {
        output: {
          media_type: 'text/markdown',
          file_name: 'a.md',
          template: '../make-note/templates/note.md',
        },
      }),
      /is not a file of this skill/,
    ],
    [
      'a media type of another handler',
      noteSkill('bad', {
        output: { media_type: 'text/html', file_name: 'a.html', template: 'templates/note.md' },
      }),
      /"text\/html" is not what render_markdown makes/,
    ],
    [
      'a file name without an ending',
      noteSkill('bad', {
        output: { media_type: 'text/markdown', file_name: '{{title}}', template: 'templates/note.md' },
      }),
      /must end in a literal ending/,
    ],
    [
      'a file name with an unknown variable',
      noteSkill('bad', {
        output: { media_type: 'text/markdown', file_name: '{{nope}}.md', template: 'templates/note.md' },
      }),
      /"nope" is not in input_schema/,
    ],
    [
      'a template that does not close',
      { ...noteSkill('bad'), 'templates/note.md': 'a\n{{#lines}}' },
      /templates\/note\.md:2:\d+: is not a Mustache template: Unclosed section/,
    ],
    [
      'a template with an unknown variable',
      { ...noteSkill('bad'), 'templates/note.md': '{{titel}}' },
      /templates\/note\.md:1:1: "titel" is not in input_schema\. Known here: lines, title/,
    ],
    [
      'hidden text in tool.json',
      noteSkill('bad', { triggers: ['say \u{E0068}\u{E0069}'] }),
      /2 tag characters/,
    ],
  ])('[S2-14] %s refuses that skill alone, with a warning', (_what, files, reason) => {
    const root = makeRepository({ bad: files });
    const { tools, methodology, refusals, statuses } = boot(root);
    expect(tools.map(({ spec }) => spec.name)).toEqual(['make_note']);
    expect(methodology.map(({ name }) => name)).toEqual(['do-it-well']);
    expect(refusals).not.toHaveLength(0);
    expect(`${refusals[0]?.source}: ${refusals[0]?.reason}`).toMatch(reason);
    expect(statuses[0]?.status).toBe('2 skills loaded and digest-checked; 1 refused: bad');
    expect(boot(makeRepository(), [{ label: 'ours', root }]).tools).toHaveLength(2);
  });

  it('keeps the pinned ref of a skill that was refused', () => {
    const root = makeRepository({ bad: noteSkill('worse', { tool_id: 'bad_note' }) });
    const { refusals, pinnedRefs } = boot(root);
    expect(refusals).toEqual([expect.objectContaining({ ref: 'bad_note@1', origin: 'repository' })]);
    expect(pinnedRefs).toContain('bad_note@1');
  });

  it('a methodology skill whose name is taken by an earlier repository is refused', () => {
    const { methodology, refusals } = boot(makeRepository(), [{ label: 'ours', root: makeRepository() }]);
    expect(methodology.map(({ name, origin }) => [name, origin])).toEqual([['do-it-well', 'repository']]);
    expect(refusals).toEqual([
      expect.objectContaining({
        origin: 'directory:ours',
        reason: expect.stringMatching(/already there, from repository/) as string,
      }),
    ]);
  });

  it('stray files and leftovers are findings', () => {
    const root = makeRepository();
    writeFileSync(join(root, 'README.md'), '');
    mkdirSync(join(root, '.git'));
    writeFileSync(join(root, 'make-note/.DS_Store'), '');
    const { tools, findings } = boot(root);
    expect(tools).toHaveLength(1);
    expect(findings.map(({ source }) => source.replace(`${root}/`, ''))).toEqual([
      '.git',
      'README.md',
      'make-note/.DS_Store',
    ]);
  });
});

describe('after the boot', () => {
  it.each(['SKILL.md', 'tool.json', 'templates/note.md'])(
    '[S1-10 S1-T16] an edit of %s changes nothing until a restart',
    async (path) => {
      const root = makeRepository();
      const [tool] = boot(root).tools;
      const before = JSON.stringify(tool?.spec);
      const made = await runNote(tool);
      writeFileSync(join(root, 'make-note', path), 'edited');
      expect(JSON.stringify(tool?.spec)).toBe(before);
      expect((await runNote(tool)).text).toBe(made.text);
      expect(boot(root).tools).toEqual([]);
    },
  );

  it.each(['SKILL.md', 'references/more.md', 'assets/dot.bin', 'scripts/run.sh'])(
    '[S1-10 S2-8 S1-T16] an edit of %s of a methodology skill changes nothing until a restart',
    (path) => {
      const root = makeRepository();
      const shelf = createShelf(boot(root).methodology);
      const seen = () => [shelf.read('do-it-well'), shelf.readFile('do-it-well', path)?.bytes.toString()];
      const before = JSON.stringify(seen());
      writeFileSync(join(root, 'do-it-well', path), 'edited');
      expect(JSON.stringify(seen())).toBe(before);
    },
  );

  it('[S1-T18] nothing is read any more: the directory may be gone', async () => {
    const root = makeRepository();
    const { tools, methodology } = boot(root);
    rmSync(root, { recursive: true });
    expect(existsSync(root)).toBe(false);
    expect((await runNote(tools[0])).text).toBe('# Milk\n');
    expect(createShelf(methodology).readFile('do-it-well', 'references/more.md')?.mediaType).toBe(
      'text/markdown',
    );
  });

  it('[S1-T15] the same arguments give the same bytes', async () => {
    const [tool] = boot(makeRepository()).tools;
    expect((await runNote(tool)).file?.bytes).toEqual((await runNote(tool)).file?.bytes);
  });
});

describe('loadRepository', () => {
  it('reads a repository of no skills', () => {
    const root = makeDirectory();
    pin(root);
    expect(load(root)).toMatchObject({ integrityFaults: [], formatFaults: [], tools: [], methodology: [] });
  });
});
