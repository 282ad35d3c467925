import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

const run = promisify(execFile);

const CLIENT = createRequire(import.meta.url).resolve('autocannon');

export interface Load {
  readonly url: string;
  readonly body: string;
  readonly seconds: number;
  readonly connections: number;
  /** A bearer credential. */
  readonly token?: string;
}

/** Requests a second over one stretch, from a client in a process of its own. Throws when any answer is not a 200. */
export async function measureRequests(load: Load): Promise<number> {
  const credential = load.token === undefined ? [] : [`--headers=authorization: Bearer ${load.token}`];
  const { stdout } = await run(process.execPath, [
    CLIENT,
    '--json',
    '--method=POST',
    `--connections=${load.connections}`,
    `--duration=${load.seconds}`,
    `--body=${load.body}`,
    '--headers=content-type: application/json',
    ...credential,
    load.url,
  ]);
  const result = JSON.parse(stdout) as { requests: { average: number }; non2xx: number; errors: number };
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${load.url}: ${result.non2xx} answers were no 2xx, ${result.errors} failed`);
  }
  return result.requests.average;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
