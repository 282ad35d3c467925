import { describe, expect, it } from 'vitest';

import { readSkillTool } from '../../src/builtin/read-skill.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { createShelf, EMPTY_SHELF, type MethodologySkill, type Shelf } from '../../src/core/shelf.ts';

function method(name: string, changes: Partial<MethodologySkill> = {}): MethodologySkill {
  return {
    name,
    description: 'x',
    origin: 'repository',
    body: '# How\n',
    files: new Map<string, Uint8Array>([
      ['references/more.md', Buffer.from('# More\n')],
      ['assets/logo.png', Buffer.from([0x89, 0x50, 0xff])],
      ['long.txt', Buffer.from('x'.repeat(50_000))],
      ['longer.txt', Buffer.from('x'.repeat(50_001))],
      ['emoji.txt', Buffer.from('😀'.repeat(50_000))],
    ]),
    digest: 'sha256:0',
    ...changes,
  };
}

const shelf = createShelf([
  method('5-why'),
  method('fishbone'),
  method('theirs', { origin: 'directory:ours' }),
]);

function read(args: JsonObject, from: Shelf = shelf) {
  return readSkillTool.execute(args, {
    signal: new AbortController().signal,
    files: [],
    deadline: Number.POSITIVE_INFINITY,
    shelf: from,
    log: () => undefined,
  });
}

describe('read_skill@1', () => {
  it('[S2-5 S2-14.4] returns the body and the list of files', async () => {
    expect(await read({ name: '5-why' })).toEqual({
      status: 'ok',
      output: {
        name: '5-why',
        body: '# How\n',
        files: [
          { path: 'assets/logo.png', size_bytes: 3, media_type: 'application/octet-stream' },
          { path: 'emoji.txt', size_bytes: 200_000, media_type: 'text/plain' },
          { path: 'long.txt', size_bytes: 50_000, media_type: 'text/plain' },
          { path: 'longer.txt', size_bytes: 50_001, media_type: 'text/plain' },
          { path: 'references/more.md', size_bytes: 7, media_type: 'text/markdown' },
        ],
      },
    });
  });

  it('returns one bundled file as text', async () => {
    expect(await read({ name: '5-why', file: 'references/more.md' })).toEqual({
      status: 'ok',
      output: { name: '5-why', file: 'references/more.md', text: '# More\n' },
    });
  });

  it('returns 50,000 characters as text and one more as the artifact', async () => {
    expect(await read({ name: '5-why', file: 'long.txt' })).toMatchObject({
      output: { text: 'x'.repeat(50_000) },
    });
    expect(await read({ name: '5-why', file: 'emoji.txt' })).toMatchObject({
      output: { text: '😀'.repeat(50_000) },
    });
    const longer = await read({ name: '5-why', file: 'longer.txt' });
    expect(longer).toMatchObject({
      output: { name: '5-why', file: 'longer.txt' },
      file: { name: 'longer.txt' },
    });
    expect(longer).not.toHaveProperty('output.text');
  });

  it('returns a binary file as the artifact, under its bare name', async () => {
    expect(await read({ name: '5-why', file: 'assets/logo.png' })).toEqual({
      status: 'ok',
      output: { name: '5-why', file: 'assets/logo.png' },
      file: {
        name: 'logo.png',
        mediaType: 'application/octet-stream',
        bytes: Buffer.from([0x89, 0x50, 0xff]),
      },
    });
  });

  it('[S2-5 S2-14.5] answers an unknown name with what is available, the nearest first', async () => {
    expect(await read({ name: 'fishbon' })).toMatchObject({
      status: 'failed',
      code: 'INVALID_INPUT',
      message: 'name "fishbon" is no skill that can be read here. Available: "fishbone", "5-why", "theirs".',
    });
  });

  it('answers an unknown file with the files of that skill', async () => {
    expect(await read({ name: '5-why', file: '../../etc/passwd' })).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(
        /^file "\.\.\/\.\.\/etc\/passwd" does not belong to "5-why"\. Available: /u,
      ) as string,
    });
  });

  it('[S2-14.10] reads the shelf of its call, so another caller sees another one', async () => {
    expect(await read({ name: '5-why' }, EMPTY_SHELF)).toMatchObject({
      message: expect.stringContaining('There is none.') as string,
    });
  });

  it('lists twenty of many', async () => {
    const many = createShelf(Array.from({ length: 30 }, (_, n) => method(`skill-${n}`)));
    expect(await read({ name: 'zzzzzzzzzzzzzzzzzzzzz' }, many)).toMatchObject({
      message: expect.stringContaining('Available (20 of 30): ') as string,
    });
  });

  it('flags what is not ours', async () => {
    expect(await read({ name: 'theirs' })).toMatchObject({ output: { third_party: true } });
    expect(await read({ name: 'theirs', file: 'references/more.md' })).toMatchObject({
      output: { third_party: true },
    });
  });
});
