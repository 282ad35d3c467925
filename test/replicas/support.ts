import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** An answer in the one shape, with its status. */
export interface Answer {
  readonly status: number;
  readonly body: {
    readonly ok?: boolean;
    readonly error?: string;
    readonly retryable?: boolean;
    readonly retry_after?: number;
    readonly invocation_id?: string;
  } & Readonly<Record<string, unknown>>;
  readonly replayed: boolean;
}

export interface BrokerProcess {
  readonly url: string;
  readonly port: number;
  /** Calls that ran here, by their audit lines. */
  readonly ran: () => number;
  /** What its log says besides calls. */
  readonly logged: readonly string[];
  readonly kill: (signal: NodeJS.Signals) => Promise<void>;
}

const POLICY = `approve: [local]
limits:
  max_concurrent_calls: 16
  max_queued_calls: 400
  run_concurrent_calls: 400
  run_calls: 5000
`;

export function writePolicy(): { path: string; remove: () => void } {
  const dir = mkdtempSync(join(tmpdir(), 'replicas-'));
  const path = join(dir, 'policy.yaml');
  writeFileSync(path, POLICY);
  return { path, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** A broker in a process of its own; resolves once it listens. Its lines on standard error go to `told`. */
export async function startBroker(
  env: Record<string, string>,
  { port = 0, told = [] }: { port?: number; told?: string[] } = {},
): Promise<BrokerProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    env: { PATH: process.env['PATH'] ?? '', PORT: `${port}`, AUDIT_SYNC: 'true', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const counted = { ran: 0 };
  const logged: string[] = [];
  createInterface(child.stdout).on('line', (line) => {
    if (!line.includes('"msg":"call"')) logged.push(line);
    else if (hasRun(line)) counted.ran += 1;
  });
  const lines = createInterface(child.stderr).on('line', (line) => told.push(line));
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const found = /http:\/\/127\.0\.0\.1:\d+/u.exec(line)?.[0];
      if (line.includes('listens on') && found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(told.join('\n'))));
  });
  return {
    url,
    port: Number(new URL(url).port),
    ran: () => counted.ran,
    logged,
    kill: async (signal) => end(child, signal),
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'close');
}

function hasRun(line: string): boolean {
  const record = JSON.parse(line) as { outcome: string; replayed?: boolean };
  return record.outcome === 'OK' && record.replayed !== true;
}

interface Request {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly token?: string;
  readonly key?: string;
  readonly body?: unknown;
}

/** Rejects where no answer came at all, as when the broker was killed. */
export async function ask(url: string, { method = 'POST', token, key, body }: Request): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? {} : (JSON.parse(text) as Answer['body']),
    replayed: response.headers.get('idempotency-replayed') === 'true',
  };
}

export async function startRun(
  url: string,
  limits: Record<string, unknown>,
): Promise<{ id: string; token: string }> {
  const { status, body } = await ask(`${url}/v1/runs`, { body: { limits } });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return { id: String(body['run_id']), token: String(body['token']) };
}

/** What is wrong with the shape of an answer; empty: nothing. */
export function shapeFaults({ status, body }: Answer): string[] {
  if (status === 200 && body.ok === true) {
    return ['invocation_id', 'ref', 'output'].filter((name) => body[name] === undefined);
  }
  const wrong = ['error', 'message', 'resolution', 'request_id'].filter(
    (name) => typeof body[name] !== 'string',
  );
  if (body.ok !== false) wrong.push('ok');
  if (typeof body.retryable !== 'boolean') wrong.push('retryable');
  if (status === 503 && typeof body.retry_after !== 'number') wrong.push('retry_after');
  return wrong;
}
