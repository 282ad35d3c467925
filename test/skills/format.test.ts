import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { boot, makeRepository } from './boots.ts';
import { noteSkill, skillMd, type Files } from './skill-dirs.ts';

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
      /tool\.json:\d+:\d+: \/entry_point is not a known member/,
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
      /tool\.json:\d+:\d+: .*2 tag characters, the first at offset 4/,
    ],
    [
      'a control character in tool.json, though written as an escape',
      noteSkill('bad', { triggers: ['say\u0007'] }),
      /1 control character, at offset 3/,
    ],
    [
      'hidden text in the name of a parameter',
      noteSkill('bad', { input_schema: { type: 'object', properties: { 'a\u200B': {} } } }),
      /properties\/a\\u\{200b\} holds .* 1 zero-width character, at offset 1/,
    ],
    [
      'hidden text in the description of a methodology skill',
      { 'SKILL.md': skillMd('bad', 'Use it\u202E now.') },
      /description holds characters that a reader cannot see: 1 bidi control character/,
    ],
    [
      'a name with a character that nobody sees',
      { 'SKILL.md': skillMd('ba\u200Bd', 'Use it now.') },
      /name .* must be lower-case letters/,
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
