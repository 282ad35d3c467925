import { afterAll, describe, expect, it } from 'vitest';
import type { PdfDocument } from '../../src/typeset/document.ts';
import { createTypesetter } from '../../src/typeset/typesetter.ts';

const typesetter = createTypesetter({ maxThreads: 1 });
afterAll(() => typesetter.close());

const never = new AbortController().signal;

function lines(text: string, title?: string): PdfDocument {
  return { language: 'en', ...(title === undefined ? {} : { title }), blocks: [{ kind: 'lines', text }] };
}

const NODE_MAJOR = Number(process.versions.node.split('.', 1)[0]);

describe('createTypesetter', () => {
  it('hands over bytes that own their buffer', async () => {
    const { bytes, pages } = await typesetter.typeset(lines('Hello'), never);
    expect(bytes.byteLength).toBe(bytes.buffer.byteLength);
    expect(pages).toBe(1);
  });

  it('gives the same bytes for the same document, from a fresh thread too', async () => {
    const other = createTypesetter({ maxThreads: 1 });
    const document = lines('Ἀθήνα, Москва, Zürich → ✓ 中', 'Cities');
    const first = await typesetter.typeset(document, never);
    await typesetter.typeset(lines('something else in between'), never);
    const second = await typesetter.typeset(document, never);
    const third = await other.typeset(document, never);
    await other.close();
    expect(Buffer.compare(first.bytes, second.bytes)).toBe(0);
    expect(Buffer.compare(first.bytes, third.bytes)).toBe(0);
  });

  it('[S1-29] ends the thread when the signal aborts in the middle, and the next call works', async () => {
    const stop = new AbortController();
    const endless = typesetter.typeset(lines('lorem ipsum '.repeat(4_000_000)), stop.signal);
    setTimeout(() => stop.abort(), 50);
    const since = performance.now();
    await expect(endless).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    expect(performance.now() - since).toBeLessThan(5_000);
    expect((await typesetter.typeset(lines('still alive'), never)).pages).toBe(1);
  });

  it('does not start when the signal has aborted before', async () => {
    await expect(typesetter.typeset(lines('x'), AbortSignal.abort())).rejects.toThrow(/abort/u);
  });

  // Node 24 now and then ends the whole process where a thread passes its heap limit; then no test can go on.
  it.skipIf(NODE_MAJOR >= 24)(
    'rejects when the thread runs out of memory, and the next call works',
    { timeout: 60_000 },
    async () => {
      const small = createTypesetter({ maxThreads: 1, resourceLimits: { maxOldGenerationSizeMb: 96 } });
      await expect(small.typeset(lines('a b '.repeat(3_000_000)), never)).rejects.toThrow(/memory/u);
      expect((await small.typeset(lines('still alive'), never)).pages).toBe(1);
      await small.close();
    },
  );
});
