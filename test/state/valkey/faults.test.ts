import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { freePort, hasStoreServer, pass, until } from '../../support/store-server.ts';
import { cleanups, open, openNow, overloaded, run, serve, spent } from './support.ts';

describe.skipIf(!hasStoreServer)('a start without its store', () => {
  it('waits, says for what, and goes on by itself', async () => {
    const port = await freePort();
    const { valkey, told } = open({ host: '127.0.0.1', port, tls: false, database: 0, password: 'pa55' });
    const lines: string[] = [];
    const opened = valkey.opened((line) => void lines.push(line));
    await until(() => lines.length > 0);
    expect(lines).toEqual([
      `tool-broker waits for its store at 127.0.0.1:${port}: Nothing listens where STATE_URL points.`,
    ]);
    await serve([], { port, password: 'pa55' });
    await opened;
    expect(await valkey.works()).toBe(true);
    expect(told).toEqual([]);
  });

  it.each([
    ['a wrong password', { password: 'wrong' }, /refuses the user name or password/u],
    ['no password', {}, /asks for a password and STATE_URL has none/u],
    ['a database that is not there', { password: 'pa55', database: 99 }, /no database of the number/u],
  ])('says that it waits because of %s, without showing it', async (_what, wrong, expected) => {
    const { address } = await serve([], { password: 'pa55' });
    const { password: _right, ...open_ } = address;
    const { valkey } = open({ ...open_, ...wrong });
    const lines: string[] = [];
    void valkey.opened((line) => void lines.push(line));
    await until(() => lines.length > 0);
    expect(lines[0]).toMatch(expected);
    expect(lines.join('')).not.toMatch(/pa55|wrong/u);
  });
});

describe.skipIf(!hasStoreServer)('a store that does not do its part', () => {
  it('tells the operator that it is full, and refuses what would need room; a call that ran is still counted', async () => {
    const server = await serve(['--maxmemory', '3mb', '--maxmemory-policy', 'noeviction']);
    const { valkey, runs, told } = await openNow(server.address);
    await runs.start(run, 60_000);
    await runs.reserve('r', { leaseId: 'a', tool: 'echo' });
    await server.client.config('SET', 'maxmemory', '1');
    await expect(runs.reserve('r', { leaseId: 'b', tool: 'echo' })).rejects.toMatchObject(overloaded);
    expect(told[0]?.fields['fault']).toBe('OOM');
    expect(told[0]?.message).toMatch(/The store is full/u);
    expect(await valkey.works()).toBe(false);
    const settled = runs.settle('r', 'a', spent);
    await pass(300);
    await server.client.config('SET', 'maxmemory', '0');
    expect(await settled).toMatchObject({ ok: true, usage: { calls: 1, concurrentCalls: 0 } });
    await until(async () => valkey.works());
  });

  it('tells the operator of a read-only replica, and works again after it became the primary', async () => {
    const primary = await serve();
    const replica = await serve(['--replicaof', '127.0.0.1', `${primary.address.port}`]);
    await until(async () => (await replica.client.info('replication')).includes('master_link_status:up'));
    const { valkey, runs, told } = open(replica.address);
    const lines: string[] = [];
    const opened = valkey.opened((line) => void lines.push(line));
    await until(() => lines.length > 0);
    expect(lines[0]).toMatch(/read-only replica/u);
    await replica.client.replicaof('NO', 'ONE');
    await opened;
    await runs.start(run, 60_000);
    await replica.client.replicaof('127.0.0.1', `${primary.address.port}`);
    await expect(runs.reserve('r', { leaseId: 'b', tool: 'echo' })).rejects.toMatchObject(overloaded);
    expect(told[0]).toMatchObject({ level: 'error', fields: { fault: 'READONLY' } });
  });

  it('tells the operator when the ACL forbids a command', async () => {
    const server = await serve();
    await server.client.acl('SETUSER', 'low', 'on', '>pw', '~tb:*', '+@all', '-evalsha', '-eval');
    const { runs, told } = await openNow({ ...server.address, username: 'low', password: 'pw' });
    await expect(runs.start(run, 60_000)).rejects.toMatchObject(overloaded);
    expect(told[0]?.fields['fault']).toBe('NOPERM');
  });

  it('goes on after the scripts of the server were flushed', async () => {
    const server = await serve();
    const { runs } = await openNow(server.address);
    await runs.start(run, 60_000);
    await runs.reserve('r', { leaseId: 'a', tool: 'echo' });
    await server.client.script('FLUSH');
    expect(await runs.reserve('r', { leaseId: 'b', tool: 'echo' })).toMatchObject({ usage: { calls: 2 } });
  });

  it('gives no value, key or password away in what it tells', async () => {
    const server = await serve([], { password: 'pa55' });
    const { runs, told } = await openNow(server.address);
    await server.client.config('SET', 'maxmemory', '1');
    const secret = { ...run, labels: { note: 'topsecret' } };
    await expect(runs.start(secret, 60_000)).rejects.toMatchObject(overloaded);
    expect(told.length).toBeGreaterThan(0);
    expect(JSON.stringify(told)).not.toMatch(/topsecret|pa55|tb:/u);
  });
});

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasStoreServer || !hasOpenssl)('a store behind TLS (needs openssl)', () => {
  it('refuses a certificate that nobody here vouches for, and says so', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'tls-'));
    cleanups.push(() => rmSync(dir, { recursive: true }));
    const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject];
    execFileSync('openssl', [...request, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const port = await freePort();
    const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert];
    await serve(['--tls-port', `${port}`, '--tls-auth-clients', 'no', ...files]);
    const { valkey } = open({ host: '127.0.0.1', port, tls: true, database: 0 });
    const lines: string[] = [];
    void valkey.opened((line) => void lines.push(line));
    await until(() => lines.length > 0);
    expect(lines[0]).toMatch(/not from an authority that is known here/u);
  });

  it('says that a port without TLS is none', async () => {
    const { address } = await serve();
    const { valkey } = open({ ...address, tls: true });
    const lines: string[] = [];
    void valkey.opened((line) => void lines.push(line));
    await until(() => lines.length > 0);
    expect(lines[0]).toMatch(/does not speak TLS/u);
  });
});
