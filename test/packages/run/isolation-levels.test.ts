import { closeSync, openSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { detectIsolation } from '../../../src/packages/run/detect-isolation.ts';
import type { Isolation, IsolationLevel } from '../../../src/packages/run/isolation.ts';
import {
  hasNamespaces,
  hasPython,
  isRoot,
  ISOLATIONS,
  openRunner,
  text,
  type TestRunner,
} from './sandboxes-here.ts';

interface Seen {
  environment: boolean | string;
  file: string;
  signal: string;
  network: string;
  package: string;
  system: string;
  etc: string[];
  processes: number;
  uid: number;
  cwd: string;
  fds: number[];
  open_files: string[];
  first_command_line: string;
  call: string;
}

const SECRET = 'PATH=';
const REFUSED = /^(?:PermissionError|FileNotFoundError|OSError|ProcessLookupError|ConnectionRefusedError)/u;

const NO_ISOLATION = await detectIsolation({ strongest: 'none' });

/** One launcher that looks around and tells, at one level. */
function describeLevel(
  level: IsolationLevel,
  prove: (look: (hosts?: string[]) => Promise<Seen>, isolation: Isolation) => void,
): void {
  const found = ISOLATIONS.find((isolation) => isolation.level === level);
  // What a machine lacks is skipped in sight; the stand-in is never run.
  const isolation = found ?? NO_ISOLATION;
  describe.skipIf(!hasPython || found === undefined)(`at the level ${level}`, () => {
    let here: TestRunner;
    let server: Server;
    let directory: string;

    beforeAll(async () => {
      here = await openRunner(isolation);
      directory = await mkdtemp(join(tmpdir(), 'service-'));
      writeFileSync(join(directory, 'private.txt'), 'private', { mode: 0o600 });
      server = createServer((socket) => socket.end());
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
    });
    afterAll(async () => {
      server.close();
      await here.close();
      await rm(directory, { recursive: true });
    });

    prove(async (hosts = []) => {
      const asked = {
        service_pid: process.pid,
        service_file: join(directory, 'private.txt'),
        secret: SECRET,
        port: (server.address() as AddressInfo).port,
      };
      const result = await here.run('looks-around', { argv: ['look', JSON.stringify(asked)], hosts });
      return JSON.parse(text(result)) as Seen;
    }, isolation);
  });
}

describeLevel('namespaces', (look) => {
  it('a package cannot read the environment of the service', async () => {
    expect((await look()).environment).toMatch(REFUSED);
  });

  it('a package cannot read a file of the service, nor see its directory', async () => {
    expect((await look()).file).toMatch(/^FileNotFoundError/u);
  });

  it('a package cannot signal the service', async () => {
    expect((await look()).signal).toMatch(/^(?:ProcessLookupError|PermissionError)/u);
  });

  it('a package sees no processes but its own', async () => {
    expect((await look()).processes).toBeLessThanOrEqual(3);
  });

  it('a package has no network, not even the loopback of the service', async () => {
    expect((await look()).network).toMatch(/^ConnectionRefusedError/u);
  });

  it('a grant of hosts turns the whole network on, the loopback of the service too', async () => {
    expect((await look(['api.example.org'])).network).toBe('connected');
  });

  it('[S2.2.2-1] a package cannot write to its own directory', async () => {
    expect((await look()).package).toMatch(/^OSError: 30|^PermissionError/u);
  });

  it('a package cannot write to the system', async () => {
    expect((await look()).system).toMatch(/^OSError: 30|^PermissionError/u);
  });

  it('a package sees a few public files of /etc and no others', async () => {
    const { etc } = await look();
    expect(etc).toContain('ld.so.cache');
    for (const hidden of ['passwd', 'shadow', 'hosts', 'resolv.conf']) expect(etc).not.toContain(hidden);
  });

  it('[S2-32.14] a package is not root, and starts in a directory whose path says nothing of the host', async () => {
    const seen = await look();
    expect(seen.uid).not.toBe(0);
    expect(seen.cwd).toBe('/work');
  });

  it('a package finds no path of the host on the command line of the sandbox, nor the number of the service', async () => {
    const seen = await look();
    expect(seen.first_command_line).not.toContain('runner-test-');
    expect(seen.first_command_line).not.toContain(process.cwd());
    expect(seen.call).toMatch(/^[0-9a-f]{32}\/[0-9a-f]{16}$/u);
  });
});

describeLevel('limits', (look, limits) => {
  it('a package has the network, and the loopback of the service', async () => {
    expect((await look()).network).toBe('connected');
  });

  it('a package sees the processes of the machine', async () => {
    expect((await look()).processes).toBeGreaterThan(3);
  });

  it('a package sees all of the file system that its user may see', async () => {
    expect((await look()).etc).toContain('passwd');
  });

  it.skipIf(isRoot)(
    'a package that shares the user of the service can read its environment and files, and signal it',
    async () => {
      expect(await look()).toMatchObject({ environment: true, file: 'private', signal: 'allowed' });
    },
  );

  it.skipIf(!limits.ownUid)(
    'a package of a service that is root has a user of its own: it cannot read its environment or private files, signal it, or write to the system',
    async () => {
      const seen = await look();
      expect(seen.uid).not.toBe(0);
      for (const refused of [seen.environment, seen.file, seen.signal, seen.system]) {
        expect(refused).toMatch(/^PermissionError/u);
      }
    },
  );
});

describe.each(ISOLATIONS)('at every level, here $level', (isolation) => {
  let here: TestRunner;

  beforeAll(async () => {
    here = await openRunner(isolation);
  });
  afterAll(async () => here.close());

  it('a package gets no privileges from a set-user-ID program', async () => {
    const lines = text(await here.run('gains-privileges')).split('\n');
    expect(lines).toEqual(expect.arrayContaining(['NoNewPrivs:1', 'CapEff:0000000000000000']));
  });

  it('[S2.3-8] [S2.3-18.11] a package has an environment built from nothing, with what the operator grants it', async () => {
    const result = await here.run('prints-environment', {
      env: { API_TOKEN: 'granted', HOME: '/elsewhere' },
    });
    const names = text(result)
      .split('\n')
      .map((line) => line.split('=')[0])
      .filter((name) => name !== '' && name !== 'PWD' && name !== 'SHLVL' && name !== '_');
    expect(new Set(names)).toEqual(
      new Set(['API_TOKEN', 'HOME', 'LANG', 'PATH', 'PYTHONUNBUFFERED', 'TMPDIR', 'TOOL_CALL_ID']),
    );
    expect(text(result)).toContain('API_TOKEN=granted');
    expect(text(result)).not.toContain('/elsewhere');
  });

  it('hosts that are granted stand in TOOL_ALLOWED_HOSTS', async () => {
    const result = await here.run('prints-environment', { hosts: ['a.example', 'b.example:8443'] });
    expect(text(result)).toContain('TOOL_ALLOWED_HOSTS=a.example,b.example:8443\n');
  });

  it.skipIf(!hasPython)('a package holds no file that the service has opened', async () => {
    const held = openSync('/etc/os-release', 'r');
    const asked = { service_pid: 1, service_file: '/x', secret: 'x', port: 1 };
    const result = await here.run('looks-around', { argv: ['look', JSON.stringify(asked)] });
    closeSync(held);
    const seen = JSON.parse(text(result)) as Seen;
    expect(seen.fds.slice(0, 3)).toEqual([0, 1, 2]);
    expect(seen.fds).not.toContain(held);
  });
});

describe('detectIsolation', () => {
  it.skipIf(!hasNamespaces)('goes no further than it is told', async () => {
    expect((await detectIsolation({ strongest: 'limits' })).level).toBe('limits');
  });

  it('runs nothing at the level none, and says why', async () => {
    const none = await detectIsolation({ strongest: 'none' });
    const here = await openRunner(none);
    const result = await here.run('prints-environment');
    await here.close();
    expect(result).toMatchObject({
      outcome: 'not_started',
      startError: expect.stringMatching(/not run on this machine/u),
    });
  });

  it('says in one sentence what is in force', async () => {
    const found = await detectIsolation();
    expect(found.detail).toMatch(/^Package isolation: (?:namespaces|limits|none)/u);
  });
});
