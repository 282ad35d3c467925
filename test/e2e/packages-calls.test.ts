import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { canIsolate, openPackages, type PackagesService } from './packages-service.ts';

let here: PackagesService;

beforeAll(async () => {
  here = await openPackages();
}, 60_000);

afterAll(async () => here.close());

describe.skipIf(!canIsolate)('packages over HTTP (needs prlimit and setpriv)', () => {
  it('are listed by their flat names, those that are approved and no others', async () => {
    const { json } = await here.service.ask('GET /v1/tools?origin=package:slow-jobs');
    expect(json.tools?.map(({ name }) => name)).toEqual(['drips', 'hangs']);
  });

  it.each(['lists_files', 'lists_files@1.0.0', 'odd-jobs:lists_files', 'odd-jobs:lists_files@1.0.0'])(
    'are described and called as %s',
    async (ref) => {
      const path = encodeURIComponent(ref);
      const { status, json } = await here.service.ask(`GET /v1/tools/${path}`);
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
      expect((await here.service.invoke(path)).json).toMatchObject({ ok: true, ref: 'lists_files@1.0.0' });
    },
  );

  it('have 404 for a command that is not approved, as for one that does not exist', async () => {
    const hidden = await here.service.invoke('slow-jobs:waits');
    const unknown = await here.service.invoke('slow-jobs:nothing');
    expect([hidden.status, unknown.status]).toEqual([404, 404]);
    expect(Object.keys(hidden.json)).toEqual(Object.keys(unknown.json));
    expect(hidden.json.message?.replace('waits', 'nothing')).toBe(unknown.json.message);
  });

  it('have a command refused alone whose schema is broken; the operator is told why', async () => {
    const { json } = await here.service.ask('GET /v1/tools?origin=package:one-broken');
    expect(json.tools?.map(({ name }) => name)).toEqual(['good']);
    expect((await here.service.invoke('good')).json).toMatchObject({ ok: true, output: { stdout: 'ok\n' } });
    const catalog = JSON.stringify((await here.service.ask('GET /v1/admin/catalog')).json);
    expect(catalog).toMatch(
      /leads_out@2\.0\.0[^}]*leaves the document|leaves the document[^}]*leads_out@2\.0\.0/u,
    );
    expect(catalog).toContain('will_not_compile@2.0.0');
  });

  it('check what only their own language reads; the operator is warned', async () => {
    expect((await here.service.invoke('check_code', { code: 'xx' })).json).toMatchObject({
      output: { data: { good: true } },
    });
    expect((await here.service.invoke('check_code', { code: 'xy' })).json).toMatchObject({
      error: 'TOOL_RETRY',
      output: { stderr: 'check_code: "code" is two of the same\n' },
    });
    const catalog = JSON.stringify((await here.service.ask('GET /v1/admin/catalog')).json);
    expect(catalog).toContain('its own validation stands in');
    for (const line of [
      'GET /v1/tools/check_code?format=markdown',
      'GET /openapi.json',
      'GET /v1/prompt',
      'GET /v1/tools?format=openai',
    ]) {
      expect((await here.service.ask(line)).status).toBe(200);
    }
  });
});

describe.skipIf(!canIsolate)('each way to end (needs prlimit and setpriv)', () => {
  const until = 'what it did until then\n';

  it('[S2.2.1-3] [S2.3-18.10] exit code 0 is a success, and stderr is left out', async () => {
    const { status, json } = await here.service.invoke('ends', { code: 0 });
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
    '[S2.2.1-3] [S2.3-18.10] exit code %i is %i %s, retryable: %s',
    async (...[code, status, error, retryable, resolution]) => {
      const answer = await here.service.invoke('ends', { code });
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

  it.each<[string, string, object, string, RegExp]>([
    ['137, as a shell spells SIGKILL', 'ends', { code: 137 }, 'SIGKILL', /memory/u],
    ['SIGKILL', 'dies', { signal: 'KILL' }, 'SIGKILL', /memory/u],
    ['SIGSEGV', 'dies', { signal: 'SEGV' }, 'SIGSEGV', /./u],
    ['SIGTERM', 'dies', { signal: 'TERM' }, 'SIGTERM', /./u],
  ])(
    '[S2.2.1-3] [S2.3-18.10] %s is TOOL_CRASHED, without an exit code',
    async (_title, command, ...[args, signal, resolution]) => {
      const { status, json } = await here.service.invoke(command, args);
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
    expect(await here.service.invoke(command)).toMatchObject({
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
    const { json } = await here.service.invoke('measures', textOf(131_071));
    expect(json).toMatchObject({ ok: true, output: { data: { bytes: 131_071 } } });
  });

  it('[S2.3-18.5] of 131,072 bytes are 413 before anything starts, and the limit is named', async () => {
    const { status, json } = await here.service.invoke('measures', textOf(131_072));
    expect({ status, json }).toMatchObject({
      status: 413,
      json: { error: 'PAYLOAD_TOO_LARGE', message: expect.stringContaining('at most 131071') },
    });
  });

  it('count in bytes, not in characters', async () => {
    expect((await here.service.invoke('measures', { text: '字'.repeat(43_691) })).status).toBe(413);
  });
});
