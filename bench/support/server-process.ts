import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface ServerProcess {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts a server of its own process and waits for the line on standard error that names its address. */
export async function startServer(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  for await (const line of createInterface(child.stderr)) {
    const url = /http:\/\/127\.0\.0\.1:\d+/u.exec(line)?.[0];
    if (url === undefined) continue;
    child.stderr.resume();
    return {
      url,
      stop: async () => {
        child.kill('SIGTERM');
        await ended;
      },
    };
  }
  throw new Error(`${args.join(' ')} ended before it listened`);
}
