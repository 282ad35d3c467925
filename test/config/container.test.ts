import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

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
  const { services } = parse(readFileSync('docker-compose.yml', 'utf8'), { schema: 'core' }) as {
    services: Record<string, Record<string, unknown>>;
  };
  const service = services['tool-broker'] ?? {};

  it('is one service, published on loopback only', () => {
    expect(Object.keys(services)).toStrictEqual(['tool-broker']);
    expect(service['ports']).toStrictEqual(['127.0.0.1:8080:8080']);
    expect(service).not.toHaveProperty('network_mode');
  });

  it('demands the key and holds none', () => {
    expect(service['environment']).toStrictEqual({ API_KEY: expect.stringMatching(/^\$\{API_KEY:\?.+\}$/u) });
  });

  it('limits memory and processes', () => {
    expect(service['mem_limit']).toMatch(/^\d+[mg]$/u);
    expect(service['pids_limit']).toBeGreaterThan(0);
  });

  it('writes nowhere but to a /tmp of bounded size, and can gain no rights', () => {
    expect(service).toMatchObject({
      read_only: true,
      tmpfs: [expect.stringMatching(/^\/tmp:.*size=\d+m$/u)],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    for (const key of ['privileged', 'cap_add', 'volumes', 'devices', 'pid', 'ipc']) {
      expect(service).not.toHaveProperty(key);
    }
  });
});
