import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { VARIABLES } from '../../src/config/variables.ts';
import { checkConfig, readConfig } from '../../src/config.ts';
import { BootError } from '../../src/core/boot-error.ts';

const KEY = 'k'.repeat(16) + '-0123456789abcdef';
const directory = mkdtempSync(join(tmpdir(), 'config-'));
const none = { dotEnvPath: join(directory, 'none') };

function faultsOf(environment: Record<string, string | undefined>, dotEnvPath = none.dotEnvPath) {
  return checkConfig(environment, { dotEnvPath }).faults;
}

function writeFile(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

describe('readConfig', () => {
  it('gives every default when nothing is set', () => {
    expect(readConfig({}, none)).toStrictEqual({
      host: '127.0.0.1',
      hostIsLoopback: true,
      port: 8080,
      policyFile: resolve('policy.yaml'),
      skillsDirs: [],
      allowedHosts: [],
      allowedOrigins: [],
      logLevel: 'info',
      auditSync: false,
      shutdownGraceMs: 10_000,
      maxBodyBytes: 1_048_576,
      warnings: [],
    });
  });

  it('finds the shipped policy wherever the process was started', () => {
    const before = process.cwd();
    try {
      process.chdir(directory);
      expect(readConfig({}, none).policyFile).toBe(join(before, 'policy.yaml'));
      expect(readConfig({ POLICY_FILE: 'own.yaml' }, none).policyFile).toBe(resolve('own.yaml'));
    } finally {
      process.chdir(before);
    }
  });

  it('reads every variable', () => {
    const config = readConfig(
      {
        HOST: '::1',
        PORT: '0',
        POLICY_FILE: '/etc/tool-broker/policy.yaml',
        BROKER_APPROVE: 'local, status_update@1',
        API_KEY: KEY,
        ALLOWED_HOSTS: 'Broker.example.org:8443,[::1]:8080',
        ALLOWED_ORIGINS: 'https://example.org , http://localhost:3000',
        LOG_LEVEL: 'debug',
        AUDIT_SYNC: 'true',
        SHUTDOWN_GRACE_MS: '0',
        MAX_BODY_BYTES: '2048',
      },
      none,
    );
    expect(config).toMatchObject({
      host: '::1',
      hostIsLoopback: true,
      port: 0,
      policyFile: '/etc/tool-broker/policy.yaml',
      approve: ['local', 'status_update@1'],
      apiKeySha256: createHash('sha256').update(KEY).digest('hex'),
      allowedHosts: ['broker.example.org:8443', '[::1]:8080'],
      allowedOrigins: ['https://example.org', 'http://localhost:3000'],
      logLevel: 'debug',
      auditSync: true,
      shutdownGraceMs: 0,
      maxBodyBytes: 2048,
    });
  });

  it('takes an empty value as not set, except where empty means something', () => {
    const empty = { HOST: '', PORT: '', POLICY_FILE: '', LOG_LEVEL: '', AUDIT_SYNC: '', MAX_BODY_BYTES: '' };
    expect(readConfig(empty, none)).toStrictEqual(readConfig({}, none));
    expect(readConfig({ BROKER_APPROVE: '' }, none).approve).toStrictEqual([]);
    expect(readConfig({ BROKER_APPROVE: undefined }, none).approve).toBeUndefined();
    expect(faultsOf({ API_KEY: '' })).toHaveLength(1);
  });

  it('throws all faults together, each with its variable, what was received and what to do', () => {
    const wrong = {
      HOST: 'http://x',
      PORT: '65536',
      LOG_LEVEL: 'loud',
      AUDIT_SYNC: 'yes',
      SHUTDOWN_GRACE_MS: '-1',
      MAX_BODY_BYTES: '1e6',
      ALLOWED_ORIGINS: '*',
      ALLOWED_HOSTS: 'https://example.org',
      BROKER_APPROVE: 'local,,x',
      API_KEY: 'short',
    };
    let thrown: unknown;
    try {
      readConfig(wrong, none);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(BootError);
    const { faults } = thrown as BootError;
    expect(faults.map(({ source }) => source).toSorted()).toStrictEqual(Object.keys(wrong).toSorted());
    for (const { source, message, remedy } of faults) {
      expect(remedy).not.toBe('');
      const received = wrong[source as keyof typeof wrong];
      expect(message).toContain(source === 'API_KEY' ? '(5 characters)' : received);
    }
    expect(faults.find(({ source }) => source === 'PORT')).toStrictEqual({
      source: 'PORT',
      message: '"65536" is not a whole number from 0 (any free port) to 65535.',
      remedy: 'Correct it, or leave it out for 8080.',
    });
  });

  it.each([
    ['PORT', '65535', '65536'],
    ['SHUTDOWN_GRACE_MS', '600000', '600001'],
    ['MAX_BODY_BYTES', '67108864', '67108865'],
    ['MAX_BODY_BYTES', '1024', '1023'],
    ['PORT', '0', '-0'],
    ['PORT', '80', '080'],
    ['PORT', '80', ' 80'],
    ['PORT', '80', '80.0'],
    ['PORT', '80', '٨٠'],
    ['HOST', 'a'.repeat(63), 'a'.repeat(64)],
    ['HOST', '::', '[::]'],
    ['HOST', 'broker-1.internal', '-broker'],
    ['HOST', '127.0.0.1', '127.0.0.1:8080'],
    ['ALLOWED_HOSTS', 'a:65535', 'a:65536'],
    ['ALLOWED_HOSTS', '[::1]', '[nope]'],
    ['ALLOWED_HOSTS', 'a,b', 'a,,b'],
    ['ALLOWED_HOSTS', 'a', '*.a'],
    ['ALLOWED_ORIGINS', 'https://a', 'https://a/'],
    ['ALLOWED_ORIGINS', 'http://a:81', 'ftp://a'],
    ['ALLOWED_ORIGINS', 'https://a', 'null'],
    ['LOG_LEVEL', 'warn', 'WARN'],
    ['AUDIT_SYNC', 'false', 'False'],
    ['POLICY_FILE', 'a', 'a\0b'],
    ['BROKER_APPROVE', 'a@1', 'a@1,'],
  ])('accepts %s=%j and refuses %j', (name, good, bad) => {
    expect(faultsOf({ [name]: good })).toStrictEqual([]);
    expect(faultsOf({ [name]: bad }).map(({ source }) => source)).toStrictEqual([name]);
  });

  it.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['0:0:0:0:0:0:0:1', true],
    ['::ffff:127.0.0.1', true],
    ['localhost', true],
    ['LOCALHOST', true],
    ['a.localhost', false],
    ['0.0.0.0', false],
    ['::', false],
    ['::ffff:0.0.0.0', false],
    ['10.0.0.1', false],
    ['0', false],
    ['127.1', false],
    ['localhost.example.org', false],
    ['notlocalhost', false],
  ])('knows whether %s is loopback', (host, isLoopback) => {
    expect(readConfig({ HOST: host }, none).hostIsLoopback).toBe(isLoopback);
  });

  it('never throws anything but faults, whatever the variables hold', () => {
    const environment = fc.dictionary(
      fc.constantFrom(...Object.keys(VARIABLES), '__proto__', 'APIKEY'),
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.string({ minLength: 32 }),
        fc.constantFrom('0', 'local', directory),
      ),
    );
    fc.assert(
      fc.property(environment, (env) => {
        for (const fault of checkConfig(env, none).faults) {
          expect(Object.keys(VARIABLES)).toContain(fault.source);
          expect(fault.remedy).not.toBe('');
        }
      }),
    );
  });
});

describe('.env', () => {
  it('is read, and the real environment wins', () => {
    const dotEnvPath = writeFile('env', 'PORT=1\nexport LOG_LEVEL="warn" # why\nBROKER_APPROVE=\n');
    const config = readConfig({ PORT: '2', LOG_LEVEL: undefined }, { dotEnvPath });
    expect(config).toMatchObject({ port: 2, logLevel: 'warn', approve: [] });
  });

  it('may be absent, but not unreadable', () => {
    expect(faultsOf({})).toStrictEqual([]);
    expect(faultsOf({}, directory)[0]).toMatchObject({
      source: directory,
      message: 'It is not a plain file.',
    });
  });

  it('is never waited for when it is a pipe, nor read without end when it is a device', () => {
    const pipe = join(directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(faultsOf({}, pipe)).toMatchObject([{ source: pipe, message: 'It is not a plain file.' }]);
    expect(faultsOf({}, '/dev/zero')).toMatchObject([{ message: 'It is not a plain file.' }]);
  });

  it('is read up to 1 MiB', () => {
    const dotEnvPath = writeFile('large', `PORT=1\n#${'x'.repeat(1024 * 1024 - 8)}`);
    expect(faultsOf({}, dotEnvPath)).toStrictEqual([]);
    writeFileSync(dotEnvPath, 'x', { flag: 'a' });
    expect(faultsOf({}, dotEnvPath)).toMatchObject([
      { source: dotEnvPath, message: 'It has 1048577 bytes; at most 1048576 are read.' },
    ]);
  });

  it('has its faults reported like those of the environment', () => {
    const dotEnvPath = writeFile('env', 'PORT=x\nHOST=a b\n');
    expect(faultsOf({}, dotEnvPath).map(({ source }) => source)).toStrictEqual(['HOST', 'PORT']);
  });
});
