import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { lintSkills } from '../../src/cli/skills-lint.ts';
import { pinSkills } from '../../src/cli/skills-pin.ts';
import { verifySkills } from '../../src/cli/skills-verify.ts';
import { LOCK_FILE } from '../../src/skills/lock-file.ts';
import { load, makeDirectory, methodSkill, noteSkill, skillMd, writeSkill } from '../skills/skill-dirs.ts';

function run(command: (print: (line: string) => void) => number): { code: number; text: string } {
  const lines: string[] = [];
  const code = command((line) => void lines.push(line));
  return { code, text: lines.join('\n') };
}

const pin = (root: string, dryRun = false) => run((print) => pinSkills({ root, dryRun, print }));
const verify = (root: string) => run((print) => verifySkills({ root, print }));
const lint = (directory: string, json = false) => run((print) => lintSkills({ directory, json, print }));

function makeUnpinned(): string {
  const root = makeDirectory();
  writeSkill(root, 'make-note', noteSkill());
  writeSkill(root, 'do-it-well', methodSkill());
  return root;
}

describe('skills pin', () => {
  it('shows what is new and writes pins that a boot accepts', () => {
    const root = makeUnpinned();
    const { code, text } = pin(root);
    expect(code).toBe(0);
    expect(text).toMatch(/^\+ do-it-well: new, 4 files, sha256:[0-9a-f]{64}\n\+ make-note: new, 3 files/u);
    expect(text).toContain(`${join(root, LOCK_FILE)} was written: 2 skills`);
    expect(load(root).tools).toHaveLength(1);
    expect(readdirSync(root).sort()).toEqual(['do-it-well', 'make-note', LOCK_FILE]);
  });

  it('shows the difference of a changed skill, with both digests, and then nothing more', () => {
    const root = makeUnpinned();
    pin(root);
    writeFileSync(join(root, 'make-note/templates/note.md'), '{{title}}');
    writeFileSync(join(root, 'do-it-well/more.md'), '');
    expect(pin(root).text).toMatch(
      /^~ do-it-well: more\.md was added; sha256:[0-9a-f]{64} -> sha256:[0-9a-f]{64}\n~ make-note: templates\/note\.md was changed; /u,
    );
    const bytes = readFileSync(join(root, LOCK_FILE), 'utf8');
    expect(pin(root)).toEqual({ code: 0, text: `${join(root, LOCK_FILE)} is up to date: 2 skills.` });
    expect(readFileSync(join(root, LOCK_FILE), 'utf8')).toBe(bytes);
  });

  it('only shows with a dry run', () => {
    const root = makeUnpinned();
    expect(pin(root, true)).toMatchObject({
      code: 0,
      text: expect.stringMatching(/was not written\.$/u) as string,
    });
    expect(readdirSync(root)).not.toContain(LOCK_FILE);
  });

  it('pins nothing while a skill holds what is no plain file', () => {
    const root = makeUnpinned();
    symlinkSync('/etc/passwd', join(root, 'make-note/link'));
    const { code, text } = pin(root);
    expect(code).toBe(1);
    expect(text).toBe(
      'error: make-note/link: is a symbolic link; a skill holds plain files only. Put the file itself here.\nNothing was pinned.',
    );
    expect(readdirSync(root)).not.toContain(LOCK_FILE);
  });

  it('says so when the directory is not there', () => {
    expect(pin('/nowhere/at/all')).toMatchObject({
      code: 1,
      text: expect.stringContaining('ENOENT') as string,
    });
  });
});

describe('skills verify', () => {
  it('accepts what was pinned and names what was changed since', () => {
    const root = makeUnpinned();
    expect(verify(root)).toMatchObject({
      code: 1,
      text: expect.stringContaining('skills.lock.json: is missing') as string,
    });
    pin(root);
    expect(verify(root)).toEqual({ code: 0, text: '2 skills match their pins.' });
    writeFileSync(join(root, 'make-note/tool.json'), '{}');
    const { code, text } = verify(root);
    expect(code).toBe(1);
    expect(text).toMatch(
      /^error: make-note: tool\.json was changed: pinned as sha256:[0-9a-f]{64}, found sha256:/u,
    );
  });
});

describe('skills lint', () => {
  it('is quiet, with exit code 0, about a good skill', () => {
    const root = writeSkill(makeDirectory(), 'make-note', noteSkill());
    expect(lint(root)).toEqual({ code: 0, text: `${root}: no findings` });
  });

  it('[D26] gives every finding with its place, refusals and warnings apart, and exit code 1', () => {
    const root = writeSkill(makeDirectory(), 'make-note', {
      ...noteSkill('make-note', { handler: 'render_nothing' }),
      'SKILL.md': `${skillMd('make-note').replace('---\n\n', 'author: me\n---\n\n')}A\u200Bb`,
      'notes.md~': '',
    });
    const { code, text } = lint(root);
    expect(code).toBe(1);
    expect(text.split('\n').map((line) => line.replace(`${root}: `, ''))).toEqual([
      expect.stringMatching(/^error: tool\.json:4:14: \/handler names the handler "render_nothing"/u),
      expect.stringMatching(/^warning: notes\.md~: was left behind/u),
      expect.stringMatching(/^warning: SKILL\.md:4:9: "author" is not a field/u),
      expect.stringMatching(
        /^warning: SKILL\.md:10:2: holds 1 × zero-width, first at offset \d+: a reader cannot see it/u,
      ),
    ]);
  });

  it('gives the same as one JSON document', () => {
    const root = writeSkill(makeDirectory(), 'a', { 'SKILL.md': skillMd('b') });
    const { code, text } = lint(root, true);
    expect(code).toBe(1);
    expect(JSON.parse(text)).toEqual({
      skills: [
        {
          skill: root,
          findings: [
            {
              severity: 'error',
              file: 'SKILL.md',
              line: 2,
              column: 7,
              message: 'name "b" must equal the directory, which is "a". Rename one of them.',
            },
          ],
        },
      ],
    });
  });

  it('lints every skill of a directory of skills, and says when there is none', () => {
    const root = makeUnpinned();
    expect(lint(root).text.split('\n')).toEqual([
      `${root}/do-it-well: no findings`,
      `${root}/make-note: no findings`,
    ]);
    expect(lint(makeDirectory()).code).toBe(2);
    expect(lint('/nowhere/at/all').code).toBe(2);
  });
});
