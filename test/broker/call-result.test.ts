import { describe, expect, it } from 'vitest';

import { makeBroker, makeRequest } from '../support/calls.ts';
import { makeCatalog, makeTool } from '../support/tools.ts';

describe('the file of a call', () => {
  it.each([
    [1_000, true],
    [1_001, false],
  ])('hands on a file of %i bytes where 1000 are allowed: %s', async (bytes, ok) => {
    const file = { name: 'a.bin', mediaType: 'application/octet-stream', bytes: new Uint8Array(bytes) };
    const catalog = makeCatalog([
      makeTool({}, { execute: async () => ({ status: 'ok', output: {}, file }) }),
    ]);
    const { broker } = makeBroker(catalog);
    const outcome = await broker.invoke(makeRequest(catalog));
    expect(outcome.ok ? 'ok' : outcome.code).toBe(ok ? 'ok' : 'RESULT_TOO_LARGE');
  });

  it.each([
    [100, 'inline'],
    [101, 'link'],
  ])('sends a file of %i bytes %s where 100 fit inline', async (bytes, delivery) => {
    const file = { name: 'a.bin', mediaType: 'application/octet-stream', bytes: new Uint8Array(bytes) };
    const catalog = makeCatalog([
      makeTool({}, { execute: async () => ({ status: 'ok', output: {}, file }) }),
    ]);
    const { broker } = makeBroker(catalog);
    expect((await broker.invoke(makeRequest(catalog))).delivery).toBe(delivery);
  });

  it.each(['../x', 'a/b', 'a\\b', '.', '..', '', 'a\0b', 'a\nb', 'a\u202Eb', 'x'.repeat(256)])(
    'takes the file name %j for a fault of the tool',
    async (name) => {
      const file = { name, mediaType: 'text/plain', bytes: new Uint8Array(1) };
      const catalog = makeCatalog([
        makeTool({}, { execute: async () => ({ status: 'ok', output: {}, file }) }),
      ]);
      const { broker } = makeBroker(catalog);
      await expect(broker.invoke(makeRequest(catalog))).rejects.toThrow('cannot be handed on');
    },
  );
});
