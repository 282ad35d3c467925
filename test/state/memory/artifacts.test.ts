import { expect, it, vi } from 'vitest';

import { createMemoryArtifacts } from '../../../src/state/memory/artifacts.ts';
import { artifactStoreContract } from '../../contracts/artifact-store.ts';

artifactStoreContract('memory', async (limits) => {
  const store = createMemoryArtifacts(limits);
  return { store, other: store, close: async () => {} };
});

const ann = { caller: 'ann' };

it('is bounded under a flood of empty files', async () => {
  const store = createMemoryArtifacts({ maxBytes: 50_000 });
  const put = async (): Promise<string> =>
    (await store.put(ann, { name: 'a', mediaType: 'text/plain', bytes: new Uint8Array(0) }, 60_000)).id;
  const first = await put();
  for (let count = 0; count < 60; count += 1) await put();
  expect(await store.find(ann, first)).toBeUndefined();
});

it('lets go of what has expired without being asked, until it is closed', async () => {
  const store = createMemoryArtifacts({ maxBytes: 50_000, purgeEveryMs: 20 });
  const file = { name: 'a', mediaType: 'text/plain', bytes: new Uint8Array(100) };
  const kept = await store.put(ann, file, 60_000);
  await store.put(ann, file, 1);
  const both = store.heldBytes();
  await vi.waitFor(() => expect(store.heldBytes()).toBe(both / 2), { timeout: 5_000 });
  expect(await store.find(ann, kept.id)).toEqual(kept);
  store.close();
  await store.put(ann, file, 1);
  await new Promise((done) => setTimeout(done, 100));
  expect(store.heldBytes()).toBe(both);
});
