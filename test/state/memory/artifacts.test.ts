import { expect, it } from 'vitest';

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
