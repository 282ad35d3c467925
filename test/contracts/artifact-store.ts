import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ArtifactStore } from '../../src/broker/artifact-store.ts';

export interface StoreUnderTest {
  readonly store: ArtifactStore;
  /** A second door to the same files, as another broker would have; the same object where there is none. */
  readonly other: ArtifactStore;
  readonly close: () => Promise<void>;
}

/** What makes a store: how many raw bytes it holds. */
export type MakeArtifactStore = (limits: { maxBytes: number }) => Promise<StoreUnderTest>;

const file = (
  bytes: number | string,
  name = 'a.txt',
): { name: string; mediaType: string; bytes: Uint8Array } => ({
  name,
  mediaType: 'text/plain',
  bytes: typeof bytes === 'number' ? new Uint8Array(bytes).fill(65) : Buffer.from(bytes),
});

const ann = { caller: 'ann' };
const HOUR_MS = 3_600_000;

const pause = async (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What every artifact store keeps to, whatever it is made of. */
export function artifactStoreContract(name: string, make: MakeArtifactStore): void {
  describe(`an artifact store: ${name}`, () => {
    let made: StoreUnderTest;
    beforeAll(async () => {
      made = await make({ maxBytes: 1_000_000 });
    });
    afterAll(async () => made.close());

    it('gives back the bytes, name, type, size and SHA-256 that were put in', async () => {
      const put = await made.store.put(ann, file('hello', 'résumé.txt'), HOUR_MS);
      const sha256 = createHash('sha256').update('hello').digest('hex');
      const facts = { owner: ann, name: 'résumé.txt', mediaType: 'text/plain', sizeBytes: 5, sha256 };
      expect(put).toMatchObject(facts);
      expect(await made.store.find(ann, put.id)).toMatchObject({ ...facts, id: put.id });
      const bytes = await made.store.read(ann, put.id, { start: 0, end: 4 });
      expect(Buffer.from(bytes ?? []).toString()).toBe('hello');
    });

    it('reads a part, both ends included', async () => {
      const { id } = await made.store.put(ann, file('0123456789'), HOUR_MS);
      const bytes = await made.store.read(ann, id, { start: 3, end: 5 });
      expect(Buffer.from(bytes ?? []).toString()).toBe('345');
    });

    it('[D91] gives an unknown id, a guessed id and a foreign id the same undefined', async () => {
      const { id } = await made.store.put(ann, file('mine'), HOUR_MS);
      const guesses = [
        '',
        'x',
        id.slice(0, -1),
        `${id}x`,
        id.toUpperCase(),
        '__proto__',
        'constructor',
        '../x',
      ];
      for (const guess of guesses) {
        expect(await made.store.find(ann, guess)).toBeUndefined();
        expect(await made.store.read(ann, guess, { start: 0, end: 1 })).toBeUndefined();
      }
      for (const caller of ['bob', '', 'Ann', '__proto__', 'ann/r1']) {
        const stranger = { caller };
        expect(await made.store.find(stranger, id)).toBeUndefined();
        expect(await made.store.read(stranger, id, { start: 0, end: 1 })).toBeUndefined();
      }
    });

    it('[D91] keeps the files of two runs of one caller apart, and shows the caller both', async () => {
      const [first, second] = [
        { caller: 'ann', run: 'r1' },
        { caller: 'ann', run: 'r2' },
      ];
      const { id } = await made.store.put(first, file('of r1'), HOUR_MS);
      const own = await made.store.put(ann, file('of ann herself'), HOUR_MS);
      expect(await made.store.find(first, id)).toMatchObject({ owner: first });
      expect(await made.store.find(ann, id)).toBeDefined();
      expect(await made.store.find(second, id)).toBeUndefined();
      expect(await made.store.find({ caller: 'bob', run: 'r1' }, id)).toBeUndefined();
      expect(await made.store.find(first, own.id)).toBeUndefined();
    });

    it('lets go of all that a run owns, and of nothing else', async () => {
      const [run, other] = [
        { caller: 'ann', run: 'r3' },
        { caller: 'ann', run: 'r4' },
      ];
      const gone = await made.store.put(run, file('a'), HOUR_MS);
      const kept = [
        await made.store.put(other, file('b'), HOUR_MS),
        await made.store.put(ann, file('c'), HOUR_MS),
        await made.store.put({ caller: 'bob', run: 'r3' }, file('d'), HOUR_MS),
      ];
      await made.store.drop(run);
      expect(await made.store.find(ann, gone.id)).toBeUndefined();
      for (const { id, owner } of kept) expect(await made.store.find(owner, id)).toBeDefined();
    });

    it('gives ids of 128 random bits or more, none twice', async () => {
      const ids = await Promise.all(
        Array.from({ length: 100 }, async () => (await made.store.put(ann, file(1), HOUR_MS)).id),
      );
      expect(new Set(ids).size).toBe(100);
      for (const id of ids) expect(id).toMatch(/^[\w-]{22,}$/u);
    });

    it('keeps an empty file', async () => {
      const { id, sizeBytes } = await made.store.put(ann, file(0), HOUR_MS);
      expect(sizeBytes).toBe(0);
      expect(await made.store.find(ann, id)).toBeDefined();
    });

    it('keeps a file in the same bytes while others come and go at once', async () => {
      const texts = Array.from({ length: 50 }, (_unused, index) => `text ${index}`);
      const kept = await Promise.all(texts.map(async (text) => made.store.put(ann, file(text), HOUR_MS)));
      const read = await Promise.all(
        kept.map(async ({ id, sizeBytes }) => made.store.read(ann, id, { start: 0, end: sizeBytes - 1 })),
      );
      expect(read.map((bytes) => Buffer.from(bytes ?? []).toString())).toEqual(texts);
    });
  });

  describe(`large files and several doors: ${name}`, () => {
    let made: StoreUnderTest;
    beforeAll(async () => {
      made = await make({ maxBytes: 4_000_000 });
    });
    afterAll(async () => made.close());

    it('gives the same file through any door', async () => {
      const run = { caller: 'ann', run: 'doors' };
      const put = await made.store.put(run, file('hello'), HOUR_MS);
      expect(await made.other.find(run, put.id)).toEqual(put);
      const bytes = await made.other.read(ann, put.id, { start: 1, end: 3 });
      expect(Buffer.from(bytes ?? []).toString()).toBe('ell');
      await made.other.drop(run);
      expect(await made.store.find(run, put.id)).toBeUndefined();
    });

    it.each([262_143, 262_144, 262_145, 2_500_000])('keeps a file of %i bytes whole', async (sizeBytes) => {
      const bytes = Buffer.alloc(sizeBytes);
      for (let at = 0; at < sizeBytes; at += 1) bytes[at] = (at * 31 + (at >> 8)) & 255;
      const { id, sha256 } = await made.store.put(ann, { ...file(0), bytes }, HOUR_MS);
      const read = await made.other.read(ann, id, { start: 0, end: sizeBytes - 1 });
      expect(
        createHash('sha256')
          .update(read ?? '')
          .digest('hex'),
      ).toBe(sha256);
      for (const [start, end] of [
        [0, 0],
        [262_100, 262_150],
        [262_143, 262_144],
        [sizeBytes - 3, sizeBytes - 1],
        [sizeBytes - 3, sizeBytes + 100],
      ] as const) {
        const part = await made.other.read(ann, id, { start, end });
        expect(Buffer.compare(Buffer.from(part ?? 'none'), bytes.subarray(start, end + 1))).toBe(0);
      }
    });
  });

  describe(`room and time in an artifact store: ${name}`, () => {
    it('has room again when a file has expired or was dropped', async () => {
      const run = { caller: 'ann', run: 'r' };
      const { store, close } = await make({ maxBytes: 350_000 });
      const kept = await store.put(ann, file(100_000), HOUR_MS);
      await store.put(ann, file(100_000), 40);
      await store.put(run, file(100_000), HOUR_MS);
      await pause(120);
      await store.drop(run);
      await store.put(ann, file(100_000), HOUR_MS);
      await store.put(ann, file(100_000), HOUR_MS);
      expect(await store.find(ann, kept.id)).toBeDefined();
      await close();
    });

    it('[D91] forgets a file when its time is over', async () => {
      const { store, close } = await make({ maxBytes: 1_000_000 });
      const { id, expiresAt } = await store.put(ann, file('soon gone'), 40);
      expect(expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 40);
      await pause(120);
      expect(await store.find(ann, id)).toBeUndefined();
      expect(await store.read(ann, id, { start: 0, end: 1 })).toBeUndefined();
      await close();
    });

    it('lets the oldest go first when room is needed, however often it was read', async () => {
      const { store, close } = await make({ maxBytes: 350_000 });
      const first = await store.put(ann, file(100_000), HOUR_MS);
      const second = await store.put(ann, file(100_000), HOUR_MS);
      await store.put(ann, file(100_000), HOUR_MS);
      await store.read(ann, first.id, { start: 0, end: 10 });
      await store.find(ann, first.id);
      await store.put(ann, file(100_000), HOUR_MS);
      expect(await store.find(ann, first.id)).toBeUndefined();
      expect(await store.find(ann, second.id)).toBeDefined();
      await close();
    });

    it('refuses a file that is larger than the whole store, and loses nothing for it', async () => {
      const { store, close } = await make({ maxBytes: 350_000 });
      const kept = await store.put(ann, file(1_000), HOUR_MS);
      await expect(store.put(ann, file(350_001), HOUR_MS)).rejects.toMatchObject({
        code: 'PAYLOAD_TOO_LARGE',
      });
      expect(await store.find(ann, kept.id)).toBeDefined();
      await close();
    });
  });
}
