import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { createApiKey, hashCredential } from '../../src/core/api-key.ts';
import { buildPackages } from '../../src/packages/build/build-packages.ts';
import { sharedWorkRoot } from '../../src/packages/run/work-root.ts';
import { runPlainly } from '../packages/build/support.ts';

const SOURCES = resolve('test/fixtures/e2e-packages');
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** `alice` may also see the catalog; `bob` only calls. */
export const keys = { alice: createApiKey(), bob: createApiKey() } as const;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: AnswerJson;
}

/** Members of the answers that these tests look at. */
export interface AnswerJson {
  readonly ok?: boolean;
  readonly error?: string;
  readonly message?: string;
  readonly resolution?: string;
  readonly retryable?: boolean;
  readonly output?: Readonly<Record<string, unknown>>;
  readonly artifact?: {
    readonly name: string;
    readonly media_type: string;
    readonly base64: string;
    readonly size_bytes: number;
  };
  readonly download?: { readonly artifact_id: string };
  readonly artifact_id?: string;
  readonly details?: readonly { readonly path: string; readonly message: string }[];
  readonly tools?: readonly { readonly name: string; readonly ref: string }[];
  readonly takes_files?: boolean;
  readonly limits?: Readonly<Record<string, number>>;
  /** Where it is not JSON. */
  readonly text?: string;
}

export interface RunningService {
  readonly url: string;
  readonly child: ChildProcess;
  readonly ask: (line: string, more?: AskOptions) => Promise<Answer>;
  readonly invoke: (ref: string, args?: object, more?: AskOptions & { files?: object[] }) => Promise<Answer>;
  /** SIGTERM; resolves with the exit code. */
  readonly stop: () => Promise<number | null>;
}

interface AskOptions {
  readonly key?: string;
  readonly body?: object | string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export async function makeTemporary(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'e2e-packages-')));
}

/** The packages of test/fixtures/e2e-packages, built. */
export async function buildFixtures(output: string, names: readonly string[] = []): Promise<void> {
  const tools = { environment: process.env };
  await buildPackages({
    sources: SOURCES,
    output,
    names,
    force: false,
    run: runPlainly,
    tools,
    log: () => {},
  });
}

/** A policy with the two callers; `lines` go in front. */
export function writePolicy(path: string, lines: readonly string[]): void {
  const callers = [
    'callers:',
    `  - {name: alice, key_sha256: '${hashCredential(keys.alice)}', roles: [runner, operator]}`,
    `  - {name: bob, key_sha256: '${hashCredential(keys.bob)}', roles: [runner]}`,
  ];
  writeFileSync(path, [...lines, ...callers, ''].join('\n'));
}

/** The service as a process of its own, on a port of its own, started by the command `inside` if there is one. Rejects with what it printed when it ends before it listens. */
export async function startService(
  environment: Readonly<Record<string, string>>,
  inside: readonly string[] = [],
): Promise<RunningService> {
  const { PATH = '' } = process.env;
  const [program, ...args] = [...inside, process.execPath, '--import', 'tsx', MAIN];
  const child = spawn(program, args, {
    env: { PATH, PORT: '0', LOG_LEVEL: 'info', AUDIT_SYNC: 'true', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  const url = await listeningUrl(child, exited);
  const ask: RunningService['ask'] = async (line, more = {}) => send(url, line, more);
  return {
    url,
    child,
    ask,
    invoke: async (ref, args = {}, { files, ...more } = {}) =>
      ask(`POST /v1/tools/${ref}/invoke`, { ...more, body: { arguments: args, ...(files && { files }) } }),
    stop: async () => {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

async function listeningUrl(child: ChildProcess, exited: Promise<number | null>): Promise<string> {
  let printed = '';
  return new Promise((done, fail) => {
    child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      printed += piece;
      const found = /listens on (http:\/\/\S+)/u.exec(printed)?.[1];
      if (found !== undefined) done(found);
    });
    void exited.then((code) => fail(new Error(`ended with ${code}: ${printed}`)));
  });
}

async function send(
  url: string,
  line: string,
  { key = keys.alice, body, headers, signal }: AskOptions,
): Promise<Answer> {
  const [method = '', path = ''] = line.split(' ');
  const isPlain = typeof body === 'object' && !(body instanceof Uint8Array);
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(isPlain && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isPlain ? JSON.stringify(body) : (body as string) }),
    ...(signal && { signal }),
  });
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    json: isJson ? (JSON.parse(text) as AnswerJson) : { text },
  };
}

/** What lies in the service's directories of calls: one directory for each process that runs or waits, and files. */
export function leftOnDisk({ child }: RunningService): { directories: number; files: string[] } {
  const top = sharedWorkRoot();
  const own = readdirSync(top).filter((name) => name.split('.')[1] === String(child.pid));
  const entries = own.flatMap((name) =>
    readdirSync(join(top, name), { recursive: true, withFileTypes: true }),
  );
  return {
    directories: entries.filter(({ parentPath }) => own.includes(basename(parentPath))).length,
    files: entries
      .filter((entry) => !entry.isDirectory())
      .map(({ parentPath, name }) => join(parentPath, name)),
  };
}
