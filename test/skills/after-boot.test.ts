import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { createShelf } from '../../src/core/shelf.ts';
import { boot, makeRepository, runNote } from './boots.ts';

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
