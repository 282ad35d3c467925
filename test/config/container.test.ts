import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { LIMIT_RULES } from '../../src/catalog/policy-limits.ts';

const dockerfile = readFileSync('Dockerfile', 'utf8')
  .replaceAll(/^#.*\n/gmu, '')
  .replaceAll(/\\\n\s*/gu, '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => {
    const space = line.indexOf(' ');
    return { word: line.slice(0, space), rest: line.slice(space + 1) };
  });

/** What the instructions of the last stage say. */
function said(word: string): string[] {
  const start = dockerfile.findLastIndex((line) => line.word === 'FROM');
  return dockerfile
    .slice(start)
    .filter((line) => line.word === word)
    .map(({ rest }) => rest);
}

describe('the Dockerfile', () => {
  it('builds in one stage of Node 24 slim and runs in another', () => {
    const stages = dockerfile.filter(({ word }) => word === 'FROM').map(({ rest }) => rest);
    expect(stages).toStrictEqual(['node:24-slim AS build', 'node:24-slim']);
  });

  it('names no host to fetch from', () => {
    for (const { word, rest } of dockerfile.filter(({ rest }) => !rest.includes('127.0.0.1'))) {
      expect(`${word} ${rest}`).not.toMatch(/https?:|--registry|\.(?:io|com|org|net)\b/u);
    }
  });

  it('installs what the lock file says, runs no install scripts and leaves out what is for development', () => {
    const runs = dockerfile.filter(({ word }) => word === 'RUN').map(({ rest }) => rest);
    expect(runs[0]).toBe('npm ci --ignore-scripts');
    expect(runs[1]).toMatch(/^npm run prebuild && npm prune --omit=dev --ignore-scripts$/u);
    expect(said('RUN').join('\n')).not.toContain('npm');
  });

  it('runs the built service under tini, with no shell between', () => {
    expect(JSON.parse(said('ENTRYPOINT')[0] ?? '')).toStrictEqual(['/usr/bin/tini', '--']);
    expect(JSON.parse(said('CMD')[0] ?? '')).toStrictEqual(['node', 'dist/main.js']);
    expect(said('RUN')[0]).toMatch(/install --yes --no-install-recommends bubblewrap tini /u);
  });

  it('runs as a numeric user that is not root, with group 0, from files that it does not own', () => {
    const [user = '', ...others] = said('USER');
    expect([user, others]).toStrictEqual(['10001:0', []]);
    expect(said('COPY').join('\n')).not.toMatch(/--chown|--chmod/u);
  });

  it.each([
    [200, 0],
    [503, 1],
    [undefined, 1],
  ])('finds itself healthy without curl, by the status alone: %s ends in %s', async (status, expected) => {
    const [check = ''] = said('HEALTHCHECK');
    const [node, ...args] = JSON.parse(check.slice(check.indexOf('['))) as string[];
    expect(node).toBe('node');
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/healthz' ? (status ?? 500) : 404).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    if (status === undefined) server.close();
    const child = spawn(process.execPath, args, { env: { PORT: `${port}` }, stdio: 'ignore' });
    const [code] = (await once(child, 'exit')) as [number];
    server.close();
    expect(code).toBe(expected);
  });

  it('brings everything that the service reads at start', () => {
    const copied = said('COPY').join(' ').split(/\s+/u);
    for (const path of [
      'package.json',
      'policy.yaml',
      'skills',
      '/app/dist',
      '/app/prebuilt',
      '/app/node_modules',
    ]) {
      expect(copied).toContain(path);
    }
  });

  it('copies only what the build context lets in, and that is a closed list without secrets', () => {
    const rules = readFileSync('.dockerignore', 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(rules[0]).toBe('*');
    expect(rules).toContain('**/.env*');
    const letIn = new Set(rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1)));
    const sources = dockerfile
      .filter(({ word, rest }) => word === 'COPY' && !rest.startsWith('--from'))
      .flatMap(({ rest }) => rest.split(' ').slice(0, -1));
    expect(sources.filter((source) => !letIn.has(source))).toStrictEqual([]);
  });
});

describe('docker-compose.yml', () => {
  const { services, networks } = parse(readFileSync('docker-compose.yml', 'utf8'), { schema: 'core' }) as {
    services: Record<string, Record<string, unknown>>;
    networks: Record<string, unknown>;
  };
  const { broker = {}, valkey = {}, balancer = {} } = services;

  it('publishes one port, on loopback only: that of the balancer', () => {
    expect(Object.keys(services).toSorted()).toStrictEqual(['balancer', 'broker', 'valkey']);
    expect(balancer['ports']).toStrictEqual(['127.0.0.1:8080:8080']);
    for (const service of [broker, valkey]) expect(service).not.toHaveProperty('ports');
    for (const service of Object.values(services)) expect(service).not.toHaveProperty('network_mode');
  });

  it('lets only brokers reach the store, over a network that leads nowhere else', () => {
    expect(networks['state']).toStrictEqual({ internal: true });
    expect([broker['networks'], valkey['networks'], balancer['networks']]).toStrictEqual([
      ['front', 'state'],
      ['state'],
      ['front'],
    ]);
  });

  it('demands the key and the password of the store and holds neither', () => {
    expect(broker['environment']).toStrictEqual({
      API_KEY: expect.stringMatching(/^\$\{API_KEY:\?.+\}$/u),
      STATE_URL: expect.stringMatching(/^redis:\/\/:\$\{STATE_PASSWORD:\?.+\}@valkey:6379\/0$/u),
    });
    const command = valkey['command'] as string[];
    expect(command[command.indexOf('--requirepass') + 1]).toMatch(/^\$\{STATE_PASSWORD:\?.+\}$/u);
  });

  it('keeps state in memory, with room for all artifacts, and throws nothing away', () => {
    const command = valkey['command'] as string[];
    const option = (name: string) => command[command.indexOf(name) + 1];
    expect(option('--maxmemory-policy')).toBe('noeviction');
    expect([option('--save'), option('--appendonly')]).toStrictEqual(['', 'no']);
    const mib = Number(/^(\d+)mb$/u.exec(option('--maxmemory') ?? '')?.[1]);
    expect(mib).toBeGreaterThanOrEqual((LIMIT_RULES['artifact_store_bytes']?.fallback ?? 0) / 2 ** 20 + 128);
    expect(Number(/^(\d+)m$/u.exec(String(valkey['mem_limit']))?.[1])).toBeGreaterThan(mib);
  });

  it('can run any number of brokers: none has a name, a port or a volume of its own', () => {
    for (const key of ['container_name', 'hostname', 'ports', 'volumes'])
      expect(broker).not.toHaveProperty(key);
    expect(readFileSync('deploy/haproxy.cfg', 'utf8')).toMatch(/server-template broker- \d+ broker:8080/u);
  });

  it.each(Object.entries(services))('limits memory and processes of %s', (_name, service) => {
    expect(service['mem_limit']).toMatch(/^\d+[mg]$/u);
    expect(service['pids_limit']).toBeGreaterThan(0);
  });

  it.each(Object.entries(services))(
    'lets %s gain no rights and write nowhere that lasts',
    (_name, service) => {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      for (const path of (service['tmpfs'] ?? []) as string[]) expect(path).toMatch(/size=\d+m$/u);
      for (const volume of (service['volumes'] ?? []) as string[]) expect(volume).toMatch(/:ro$/u);
      for (const key of ['privileged', 'cap_add', 'devices', 'pid', 'ipc']) {
        expect(service).not.toHaveProperty(key);
      }
    },
  );
});
