import { describe, expect, it } from 'vitest';

import { createShelf, EMPTY_SHELF, type MethodologySkill } from '../../src/core/shelf.ts';

function method(name: string, changes: Partial<MethodologySkill> = {}): MethodologySkill {
  return {
    name,
    description: `About ${name}.`,
    origin: 'repository',
    body: `Body of ${name}`,
    files: new Map<string, Uint8Array>([
      ['z.md', Buffer.from('# Z')],
      ['a.txt', Buffer.from('text')],
      ['page.html', Buffer.from('<script></script>')],
      ['font.bin', Buffer.from([0xff, 0xfe])],
      ['nul.txt', Buffer.from('a\0b')],
    ]),
    digest: `sha256:${'0'.repeat(64)}`,
    ...changes,
  };
}

describe('a shelf', () => {
  it('[S2-11 S2-14.2] lists names and descriptions sorted by name', () => {
    const shelf = createShelf([method('b'), method('a'), method('c')]);
    expect(shelf.list()).toEqual(
      ['a', 'b', 'c'].map((name) => ({ name, description: `About ${name}.`, origin: 'repository' })),
    );
  });

  it('[S2-14.3] is empty when it holds nothing', () => {
    expect(EMPTY_SHELF.list()).toEqual([]);
    expect(EMPTY_SHELF.read('a')).toBeUndefined();
  });

  it('reads a body with the list of its files, sorted, with size and a harmless media type', () => {
    expect(createShelf([method('a')]).read('a')).toEqual({
      name: 'a',
      description: 'About a.',
      origin: 'repository',
      body: 'Body of a',
      files: [
        { path: 'a.txt', sizeBytes: 4, mediaType: 'text/plain' },
        { path: 'font.bin', sizeBytes: 2, mediaType: 'application/octet-stream' },
        { path: 'nul.txt', sizeBytes: 3, mediaType: 'application/octet-stream' },
        { path: 'page.html', sizeBytes: 17, mediaType: 'text/plain' },
        { path: 'z.md', sizeBytes: 3, mediaType: 'text/markdown' },
      ],
    });
  });

  it.each([
    '../a.txt',
    '/etc/passwd',
    './a.txt',
    'a.txt/',
    'A.TXT',
    '',
    'SKILL.md',
    '__proto__',
    'constructor',
  ])('looks paths up and never resolves them: %j is not there', (path) => {
    expect(createShelf([method('a')]).readFile('a', path)).toBeUndefined();
  });

  it.each(['../a', 'A', '', '__proto__', 'constructor', 'toString', 'a/'])(
    'looks names up: %j is not there',
    (name) => {
      const shelf = createShelf([method('a')]);
      expect([shelf.read(name), shelf.readFile(name, 'a.txt')]).toEqual([undefined, undefined]);
    },
  );

  it('keeps the first of two skills with one name', () => {
    const shelf = createShelf([method('a'), method('a', { body: 'other' })]);
    expect(shelf.read('a')?.body).toBe('Body of a');
    expect(shelf.list()).toHaveLength(1);
  });
});
