import { execFile } from 'node:child_process';

import { quote } from '../../core/quote.ts';

/** Ten minutes: a first build may fetch and compile. */
const BUILD_TIMEOUT_MS = 600_000;
const MAX_OUTPUT_BYTES = 16 * 1_048_576;
const SHOWN_CHARACTERS = 4_000;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Runs one program of a build to its end. No shell; the environment is exactly what is given. Rejects with an Error
 * that says how it ended and shows the end of what it printed.
 */
export async function runProgram(
  program: string,
  argv: readonly string[],
  options: { readonly cwd: string; readonly environment: Environment },
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const limits = { timeout: BUILD_TIMEOUT_MS, killSignal: 'SIGKILL' as const, maxBuffer: MAX_OUTPUT_BYTES };
    const child = execFile(
      program,
      [...argv],
      { cwd: options.cwd, env: { ...options.environment }, ...limits },
      (error, stdout, stderr) => {
        if (error === null) resolve();
        else reject(new Error(sayEnd({ program, argv, error, printed: `${stdout}${stderr}` })));
      },
    );
    child.stdin?.end();
  });
}

function sayEnd(end: {
  program: string;
  argv: readonly string[];
  error: { code?: unknown; signal?: unknown; killed?: boolean };
  printed: string;
}): string {
  const how =
    end.error.killed === true
      ? `was stopped after ${BUILD_TIMEOUT_MS / 1_000} seconds`
      : `ended with ${quote(end.error.signal ?? end.error.code)}`;
  const shown = end.printed.trim().slice(-SHOWN_CHARACTERS);
  const command = [end.program, ...end.argv].join(' ');
  return `\`${command}\` ${how}.${shown === '' ? ' It printed nothing.' : ` It printed:\n${shown}`}`;
}
