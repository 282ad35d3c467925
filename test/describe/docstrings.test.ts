import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const room = new URL('../../src/describe/', import.meta.url);

describe('the room', () => {
  it('[S3-13] says of every exported function what it is for', () => {
    const bare = readdirSync(room).flatMap((file) => {
      const text = readFileSync(new URL(file, room), 'utf8');
      const documented = new Set(
        [...text.matchAll(/\*\/\nexport function (\w+)/gu)].map((match) => match[1]),
      );
      const all = [...text.matchAll(/^export function (\w+)/gmu)].map((match) => match[1]);
      return all.filter((name) => !documented.has(name)).map((name) => `${file}: ${name}`);
    });
    expect(bare).toEqual([]);
  });
});
