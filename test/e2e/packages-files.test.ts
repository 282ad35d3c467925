import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { unzipSync } from 'fflate';
import { keys } from './service.ts';
import { canIsolate, hasShipped, openPackages, type PackagesService } from './packages-service.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

let here: PackagesService;

beforeAll(async () => {
  here = await openPackages();
}, 60_000);

afterAll(async () => here.close());

describe.skipIf(!canIsolate)('files of a call (needs prlimit and setpriv)', () => {
  const send = async (files: object[], key: string = keys.alice) =>
    here.service.invoke('lists_files', {}, { files, key });
  const upload = async (bytes: Uint8Array, key: string = keys.alice) =>
    here.service.ask('POST /v1/artifacts?name=kept.bin', {
      key,
      body: bytes,
      headers: { 'content-type': 'application/octet-stream' },
    });

  it('lie in the working directory, whether they come as base64 or from the store', async () => {
    const { json: kept } = await upload(Buffer.from('12345'));
    const { json } = await send([
      { name: 'ümlaut and space.csv', base64: base64('a,b\n') },
      { name: '-rf', base64: '' },
      { name: 'stored.bin', artifact_id: kept.artifact_id },
    ]);
    expect(json.output?.['stdout']).toBe('0 -rf\n5 stored.bin\n4 ümlaut and space.csv\n');
  });

  it.each([
    ['../up', /separator/u],
    ['a/b', /separator/u],
    ['/etc/passwd', /separator/u],
    ['a\\b', /separator/u],
    ['..', /dot/u],
    ['.', /dot/u],
    ['line\nend', /control/u],
    ['right\u202Eleft', /control/u],
    ['nul\0', /control/u],
    ['ü'.repeat(128), /longer than 255 bytes/u],
  ])('are refused under the name %j', async (name, message) => {
    const { status, json } = await send([
      { name: 'good', base64: '' },
      { name, base64: '' },
    ]);
    expect({ status, json }).toMatchObject({
      status: 400,
      json: {
        error: 'INVALID_INPUT',
        details: [{ path: '/files/1/name', message: expect.stringMatching(message) }],
      },
    });
  });

  it('are refused where two have one name, also in other letters', async () => {
    for (const twin of ['a.csv', 'A.CSV']) {
      const { status, json } = await send([
        { name: 'a.csv', base64: '' },
        { name: twin, base64: '' },
      ]);
      expect({ status, json }).toMatchObject({ status: 400, json: { details: [{ path: '/files/1/name' }] } });
    }
  });

  it('are refused under the name of the directory for results', async () => {
    const { status, json } = await send([{ name: 'out', base64: '' }]);
    expect({ status, json }).toMatchObject({
      status: 400,
      json: { error: 'INVALID_INPUT', message: expect.stringContaining('already taken') },
    });
  });

  it('are at most 64', async () => {
    const files = Array.from({ length: 65 }, (_, index) => ({ name: `f${index}`, base64: '' }));
    expect((await send(files.slice(1))).json).toMatchObject({ ok: true });
    const { status, json } = await send(files);
    expect({ status, json }).toMatchObject({ status: 400, json: { error: 'INVALID_INPUT' } });
    expect(JSON.stringify(json)).toContain('64');
  });

  it.each(['abc', 'YQ', 'Y Q==', 'YQ==\n', '-_-_', 'ä'])('are refused as base64 %j', async (text) => {
    const { status, json } = await send([{ name: 'a', base64: text }]);
    expect({ status, json }).toMatchObject({ status: 400, json: { details: [{ path: '/files/0/base64' }] } });
  });

  it('are at most as large together as one artifact', async () => {
    const [half, more] = [Buffer.alloc(200_000), Buffer.alloc(200_001)];
    const { json: kept } = await upload(half);
    const withStored = async (bytes: Buffer) =>
      send([
        { name: 'a', artifact_id: kept.artifact_id },
        { name: 'b', base64: bytes.toString('base64') },
      ]);
    expect((await withStored(half)).json).toMatchObject({ ok: true });
    expect(await withStored(more)).toMatchObject({
      status: 413,
      json: { error: 'PAYLOAD_TOO_LARGE', message: expect.stringContaining('400000 bytes') },
    });
  });

  it('of somebody else are the same 404 as files that do not exist', async () => {
    const { json: kept } = await upload(Buffer.from('secret'), keys.bob);
    const foreign = await send([{ name: 'a', artifact_id: kept.artifact_id }]);
    const unknown = await send([{ name: 'a', artifact_id: 'no-such-artifact' }]);
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(foreign.json.message).toBe(unknown.json.message);
  });

  it('are refused by a command that takes none', async () => {
    const { status, json } = await here.service.invoke('hangs', {}, { files: [{ name: 'a', base64: '' }] });
    expect({ status, json }).toMatchObject({ status: 400, json: { details: [{ path: '/files' }] } });
  });
});

describe.skipIf(!canIsolate)('files of an answer (needs prlimit and setpriv)', () => {
  it('one comes back as it is', async () => {
    const { json } = await here.service.invoke('leaves_files', { count: 1 });
    expect(json.artifact).toEqual({
      name: '1.txt',
      media_type: 'text/plain',
      base64: base64('content 1\n'),
      size_bytes: 10,
    });
  });

  it('several come back as one zip, and the same files as the same bytes', async () => {
    const [first, second] = [
      await here.service.invoke('leaves_files', { count: 3 }),
      await here.service.invoke('leaves_files', { count: 3 }),
    ];
    expect(first.json.artifact).toMatchObject({ name: 'leaves_files.zip', media_type: 'application/zip' });
    const files = unzipSync(Buffer.from(first.json.artifact?.base64 ?? '', 'base64'));
    expect(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString()])).toEqual([
      ['1.txt', 'content 1\n'],
      ['2.txt', 'content 2\n'],
      ['3.txt', 'content 3\n'],
    ]);
    expect(second.json.artifact).toEqual(first.json.artifact);
  });

  it('are at most 64', async () => {
    expect((await here.service.invoke('leaves_files', { count: 64 })).json.ok).toBe(true);
    expect((await here.service.invoke('leaves_files', { count: 65 })).json).toMatchObject({
      error: 'RESULT_TOO_LARGE',
    });
  });
});

describe.skipIf(!canIsolate || !hasShipped)('the shipped chain (needs `npm run prebuild`)', () => {
  it('[S2.3-12] data-fetch, summarise and plot pass their files on by artifact_id, without the caller touching a byte', async () => {
    const fetched = await here.service.ask('POST /v1/tools/data-fetch/invoke?artifact=link', {
      body: { arguments: { source: 'demo:sales', save_as: 'sales' } },
    });
    expect(fetched.json).toMatchObject({
      ok: true,
      output: { data: { rows: 96 } },
      artifact: { name: 'sales.csv' },
    });
    expect(fetched.json.artifact).not.toHaveProperty('base64');
    const files = [{ name: 'sales.csv', artifact_id: fetched.json.download?.artifact_id }];

    const summed = await here.service.invoke('summarise', { csv: 'sales.csv' }, { files });
    expect(summed.json).toMatchObject({ ok: true, output: { data: { rows: 96 } } });

    const wish = { csv: 'sales.csv', kind: 'line', x: 'month', y: 'revenue', group: 'region' };
    const drawn = await here.service.invoke('plot', wish, { files });
    expect(drawn.json).toMatchObject({
      ok: true,
      output: { data: { images: ['out/plot.svg'] } },
      artifact: { name: 'plot.svg', media_type: 'image/svg+xml' },
    });
    const bytes = await here.service.ask('POST /v1/tools/plot/invoke', {
      body: { arguments: wish, files },
      headers: { accept: 'image/svg+xml' },
    });
    expect(bytes.headers.get('content-type')).toBe('image/svg+xml');
    expect(bytes.json.text).toMatch(/^<svg /u);
  });
});
