import { existsSync } from 'node:fs';
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { detectIsolation } from '../../src/packages/run/detect-isolation.ts';
import { listProcesses } from '../packages/run/sandboxes-here.ts';
import {
  buildFixtures,
  keys,
  leftOnDisk,
  makeTemporary,
  removeAll,
  startService,
  writePolicy,
  type RunningService,
} from './service.ts';

const canIsolate = (await detectIsolation()).level !== 'none';
const hasShipped = ['data-fetch', 'csv-column-summary'].every((name) => existsSync(`prebuilt/${name}`));

const POLICY = [
  'approve:',
  '  - local',
  '  - data-fetch@1.0.0',
  '  - csv-column-summary@1.0.0',
  '  - odd-jobs@1.0.0',
  '  - slow-jobs:hangs@2.0.0',
  '  - slow-jobs:drips@2.0.0',
  '  - foreign-pattern@1.0.0',
  '  - one-broken@2.0.0',
  'isolation: {minimum: limits}',
  'limits: {max_concurrent_calls: 4, max_queued_calls: 4, max_artifact_bytes: 400000}',
];

/** The three shipped commands take their arguments on stdin, so that one process of each waits for a call. */
const NOTHING = { directories: hasShipped ? 3 : 0, files: [] };

let root: string;
let prebuilt: string;
let policyFile: string;
let service: RunningService;

const start = async (more: Readonly<Record<string, string>> = {}): Promise<RunningService> =>
  startService(root, { POLICY_FILE: policyFile, PACKAGES_DIR: prebuilt, ...more });

beforeAll(async () => {
  root = await makeTemporary();
  prebuilt = join(root, 'prebuilt');
  policyFile = join(root, 'policy.yaml');
  writePolicy(policyFile, POLICY);
  await buildFixtures(prebuilt);
  service = await start();
}, 60_000);

afterAll(async () => {
  await service.stop();
  await removeAll(root);
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe.skipIf(!canIsolate)('packages over HTTP (needs prlimit and setpriv)', () => {
  it('are listed by their flat names, those that are approved and no others', async () => {
    const { json } = await service.ask('GET /v1/tools?origin=package:slow-jobs');
    expect(json.tools?.map(({ name }) => name)).toEqual(['drips', 'hangs']);
  });

  it.each(['lists_files', 'lists_files@1.0.0', 'odd-jobs:lists_files', 'odd-jobs:lists_files@1.0.0'])(
    'are described and called as %s',
    async (ref) => {
      const path = encodeURIComponent(ref);
      const { status, json } = await service.ask(`GET /v1/tools/${path}`);
      expect({ status, json }).toMatchObject({
        status: 200,
        json: {
          ref: 'lists_files@1.0.0',
          origin: 'package:odd-jobs',
          third_party: true,
          takes_files: true,
          limits: { timeout_ms: 20_000, max_argument_bytes: 131_071, max_artifact_bytes: 400_000 },
        },
      });
      expect((await service.invoke(path)).json).toMatchObject({ ok: true, ref: 'lists_files@1.0.0' });
    },
  );

  it('have 404 for a command that is not approved, as for one that does not exist', async () => {
    const hidden = await service.invoke('slow-jobs:waits');
    const unknown = await service.invoke('slow-jobs:nothing');
    expect([hidden.status, unknown.status]).toEqual([404, 404]);
    expect(Object.keys(hidden.json)).toEqual(Object.keys(unknown.json));
    expect(hidden.json.message?.replace('waits', 'nothing')).toBe(unknown.json.message);
  });

  it('have a command refused alone whose schema is broken; the operator is told why', async () => {
    const { json } = await service.ask('GET /v1/tools?origin=package:one-broken');
    expect(json.tools?.map(({ name }) => name)).toEqual(['good']);
    expect((await service.invoke('good')).json).toMatchObject({ ok: true, output: { stdout: 'ok\n' } });
    const catalog = JSON.stringify((await service.ask('GET /v1/admin/catalog')).json);
    expect(catalog).toMatch(
      /leads_out@2\.0\.0[^}]*leaves the document|leaves the document[^}]*leads_out@2\.0\.0/u,
    );
    expect(catalog).toContain('will_not_compile@2.0.0');
  });

  it('check what only their own language reads; the operator is warned', async () => {
    expect((await service.invoke('check_code', { code: 'xx' })).json).toMatchObject({
      output: { data: { good: true } },
    });
    expect((await service.invoke('check_code', { code: 'xy' })).json).toMatchObject({
      error: 'TOOL_RETRY',
      output: { stderr: 'check_code: "code" is two of the same\n' },
    });
    const catalog = JSON.stringify((await service.ask('GET /v1/admin/catalog')).json);
    expect(catalog).toContain('its own validation stands in');
    for (const line of [
      'GET /v1/tools/check_code?format=markdown',
      'GET /openapi.json',
      'GET /v1/prompt',
      'GET /v1/tools?format=openai',
    ]) {
      expect((await service.ask(line)).status).toBe(200);
    }
  });
});

describe.skipIf(!canIsolate)('each way to end (needs prlimit and setpriv)', () => {
  const until = 'what it did until then\n';

  it('[S2.2.1-3] exit code 0 is a success, and stderr is left out', async () => {
    const { status, json } = await service.invoke('ends', { code: 0 });
    expect({ status, json }).toMatchObject({
      status: 200,
      json: { ok: true, output: { exit_code: 0, stdout: until } },
    });
    expect(json.output).not.toHaveProperty('stderr');
  });

  it.each([
    [1, 200, 'TOOL_FAILED', false, /the same call will fail again/u],
    [2, 200, 'TOOL_RETRY', true, /Calling again may work/u],
    [3, 200, 'TOOL_NEEDS_ACTION', false, /until a person has acted/u],
    [7, 200, 'TOOL_FAILED', false, /./u],
    [124, 200, 'TIMEOUT', true, /smaller request/u],
    [126, 200, 'TOOL_BROKEN', false, /Report the package to its publisher/u],
    [127, 200, 'TOOL_BROKEN', false, /Report the package to its publisher/u],
    [200, 200, 'TOOL_FAILED', false, /./u],
  ])(
    '[S2.2.1-3] exit code %i is %i %s, retryable: %s',
    async (code, status, error, retryable, resolution) => {
      const answer = await service.invoke('ends', { code });
      expect(answer).toMatchObject({
        status,
        json: {
          ok: false,
          error,
          retryable,
          resolution: expect.stringMatching(resolution),
          message: expect.stringContaining('why it ended'),
          output: { exit_code: code, stdout: until, stderr: 'why it ended\n' },
        },
      });
    },
  );

  it.each([
    ['137, as a shell spells SIGKILL', 'ends', { code: 137 }, 'SIGKILL', /memory/u],
    ['SIGKILL', 'dies', { signal: 'KILL' }, 'SIGKILL', /memory/u],
    ['SIGSEGV', 'dies', { signal: 'SEGV' }, 'SIGSEGV', /./u],
    ['SIGTERM', 'dies', { signal: 'TERM' }, 'SIGTERM', /./u],
  ])(
    '[S2.2.1-3] %s is TOOL_CRASHED, without an exit code',
    async (_title, command, args, signal, resolution) => {
      const { status, json } = await service.invoke(command, args);
      expect({ status, json }).toMatchObject({
        status: 200,
        json: {
          ok: false,
          error: 'TOOL_CRASHED',
          retryable: false,
          resolution: expect.stringMatching(resolution),
          output: { signal, stdout: until },
        },
      });
      expect(json.output).not.toHaveProperty('exit_code');
    },
  );

  it.each([
    ['the idle limit', 'hangs', 'wrote nothing for 0.8 s'],
    ['the total limit', 'drips', 'at its time limit'],
  ])('[S2.3-18.4] %s is TIMEOUT, with what was written until then', async (_title, command, message) => {
    expect(await service.invoke(command)).toMatchObject({
      status: 200,
      json: {
        error: 'TIMEOUT',
        retryable: true,
        message: expect.stringContaining(message),
        output: { stdout: expect.stringMatching(/^started\n/u) },
      },
    });
  });
});

describe.skipIf(!canIsolate)('arguments (needs prlimit and setpriv)', () => {
  const textOf = (bytes: number): object => ({ text: 'a'.repeat(bytes - '{"text":""}'.length) });

  it('[S2.3-18.5] of 131,071 bytes arrive', async () => {
    const { json } = await service.invoke('measures', textOf(131_071));
    expect(json).toMatchObject({ ok: true, output: { data: { bytes: 131_071 } } });
  });

  it('[S2.3-18.5] of 131,072 bytes are 413 before anything starts, and the limit is named', async () => {
    const { status, json } = await service.invoke('measures', textOf(131_072));
    expect({ status, json }).toMatchObject({
      status: 413,
      json: { error: 'PAYLOAD_TOO_LARGE', message: expect.stringContaining('at most 131071') },
    });
  });

  it('count in bytes, not in characters', async () => {
    expect((await service.invoke('measures', { text: '字'.repeat(43_691) })).status).toBe(413);
  });
});

describe.skipIf(!canIsolate)('files of a call (needs prlimit and setpriv)', () => {
  const send = async (files: object[], key: string = keys.alice) =>
    service.invoke('lists_files', {}, { files, key });
  const upload = async (bytes: Uint8Array, key: string = keys.alice) =>
    service.ask('POST /v1/artifacts?name=kept.bin', {
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
    const { status, json } = await service.invoke('hangs', {}, { files: [{ name: 'a', base64: '' }] });
    expect({ status, json }).toMatchObject({ status: 400, json: { details: [{ path: '/files' }] } });
  });
});

describe.skipIf(!canIsolate)('files of an answer (needs prlimit and setpriv)', () => {
  it('one comes back as it is', async () => {
    const { json } = await service.invoke('leaves_files', { count: 1 });
    expect(json.artifact).toEqual({
      name: '1.txt',
      media_type: 'text/plain',
      base64: base64('content 1\n'),
      size_bytes: 10,
    });
  });

  it('several come back as one zip, and the same files as the same bytes', async () => {
    const [first, second] = [
      await service.invoke('leaves_files', { count: 3 }),
      await service.invoke('leaves_files', { count: 3 }),
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
    expect((await service.invoke('leaves_files', { count: 64 })).json.ok).toBe(true);
    expect((await service.invoke('leaves_files', { count: 65 })).json).toMatchObject({
      error: 'RESULT_TOO_LARGE',
    });
  });
});

describe.skipIf(!canIsolate || !hasShipped)('the shipped chain (needs `npm run prebuild`)', () => {
  it('[S2.3-12] data-fetch, summarise and plot pass their files on by artifact_id, without the caller touching a byte', async () => {
    const fetched = await service.ask('POST /v1/tools/data-fetch/invoke?artifact=link', {
      body: { arguments: { source: 'demo:sales', save_as: 'sales' } },
    });
    expect(fetched.json).toMatchObject({
      ok: true,
      output: { data: { rows: 96 } },
      artifact: { name: 'sales.csv' },
    });
    expect(fetched.json.artifact).not.toHaveProperty('base64');
    const files = [{ name: 'sales.csv', artifact_id: fetched.json.download?.artifact_id }];

    const summed = await service.invoke('summarise', { csv: 'sales.csv' }, { files });
    expect(summed.json).toMatchObject({ ok: true, output: { data: { rows: 96 } } });

    const wish = { csv: 'sales.csv', kind: 'line', x: 'month', y: 'revenue', group: 'region' };
    const drawn = await service.invoke('plot', wish, { files });
    expect(drawn.json).toMatchObject({
      ok: true,
      output: { data: { images: ['out/plot.svg'] } },
      artifact: { name: 'plot.svg', media_type: 'image/svg+xml' },
    });
    const bytes = await service.ask('POST /v1/tools/plot/invoke', {
      body: { arguments: wish, files },
      headers: { accept: 'image/svg+xml' },
    });
    expect(bytes.headers.get('content-type')).toBe('image/svg+xml');
    expect(bytes.json.text).toMatch(/^<svg /u);
  });
});

describe.skipIf(!canIsolate)('calls at once (needs prlimit and setpriv)', () => {
  it('[S2.3-18.6] of one caller hold half of the places and half of the queue; the rest is 503 and starts nothing', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, async (_, index) =>
        service.invoke('waits', { seconds: 1, token: `n${index}` }),
      ),
    );
    const spans = answers
      .filter(({ status }) => status === 200)
      .map(({ json }) => json.output?.['data'] as { from: number; to: number });
    expect(spans).toHaveLength(4);
    const atOnce = spans.map(
      ({ from }) => spans.filter((span) => span.from <= from && from < span.to).length,
    );
    expect(Math.max(...atOnce)).toBeLessThanOrEqual(2);
    const refused = answers.filter(({ status }) => status !== 200);
    for (const { status, json, headers } of refused) {
      expect({ status, json }).toMatchObject({ status: 503, json: { error: 'OVERLOADED', retryable: true } });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  it('[S2.3-18.2] end with all their descendants when the client leaves, and nothing is left', async () => {
    const token = `left-${process.pid}`;
    const leave = new AbortController();
    const call = service.invoke('waits', { seconds: 600, token }, { signal: leave.signal });
    await expect.poll(() => listProcesses(`: ${token} apart`).length, { timeout: 10_000 }).toBeGreaterThan(0);
    leave.abort();
    await expect(call).rejects.toThrow('aborted');
    await expect.poll(() => listProcesses(token), { timeout: 10_000 }).toEqual([]);
    await expect.poll(() => leftOnDisk(service), { timeout: 5_000 }).toEqual(NOTHING);
  });
});

describe.skipIf(!canIsolate)('a service that is told to stop (needs prlimit and setpriv)', () => {
  it('lets short calls finish, ends long ones with their descendants, and leaves nothing', async () => {
    const stopping = await start({ SHUTDOWN_GRACE_MS: '2500' });
    const token = `stop-${process.pid}`;
    const short = stopping.invoke('waits', { seconds: 1, token: `${token}-short` }, { key: keys.bob });
    const long = stopping.invoke('waits', { seconds: 600, token }).catch(() => undefined);
    await expect.poll(() => listProcesses(`: ${token} apart`).length, { timeout: 10_000 }).toBeGreaterThan(0);

    expect(await stopping.stop()).toBe(0);

    expect((await short).json).toMatchObject({ ok: true });
    expect((await long)?.json).toMatchObject({ ok: false, error: 'TIMEOUT' });
    expect(listProcesses(token)).toEqual([]);
    expect(leftOnDisk(stopping)).toEqual({ directories: 0, files: [] });
  }, 40_000);
});

describe.skipIf(!canIsolate)('a package that changes after the start (needs prlimit and setpriv)', () => {
  it('[S2.3-18.7] is listed and described as before without its launcher, and a call is 502 TOOL_BROKEN', async () => {
    const own = join(root, 'own');
    await cp(prebuilt, own, { recursive: true });
    const changing = await start({ PACKAGES_DIR: own });
    try {
      const launch = join(own, 'odd-jobs/launch');
      await rm(launch);
      expect((await changing.ask('GET /v1/tools?origin=package:odd-jobs')).json.tools).toHaveLength(6);
      expect((await changing.ask('GET /v1/tools/ends')).status).toBe(200);
      expect(await changing.invoke('ends', { code: 0 })).toMatchObject({
        status: 502,
        json: { ok: false, error: 'TOOL_BROKEN', message: 'ends did not start: The launcher is missing.' },
      });

      await writeFile(launch, '#!/bin/sh\necho changed\n', { mode: 0o755 });
      const changed = await changing.invoke('ends', { code: 0 });
      expect(changed).toMatchObject({
        status: 502,
        json: {
          error: 'TOOL_BROKEN',
          message: expect.stringContaining('has changed since the service started'),
        },
      });
      expect(JSON.stringify(changed.json)).not.toContain(own);

      await cp(join(prebuilt, 'odd-jobs/launch'), launch);
      expect((await changing.invoke('ends', { code: 0 })).json.ok).toBe(true);
    } finally {
      await changing.stop();
    }
  }, 40_000);
});

describe.skipIf(!canIsolate)('after all of this (needs prlimit and setpriv)', () => {
  it('nothing of a call is left on the disk', async () => {
    await expect.poll(() => leftOnDisk(service), { timeout: 5_000 }).toEqual(NOTHING);
    expect(await service.stop()).toBe(0);
    expect(leftOnDisk(service)).toEqual({ directories: 0, files: [] });
  });
});
