import { BrokerError } from '../../core/broker-error.ts';
import type { KeptOutput, RunResult } from '../run/run-result.ts';
import type { Runner } from '../run/runner.ts';
import type { LauncherRun, RunLauncher } from './run-launcher.ts';

/** Lists with the runner that serves calls, so that a package which lists here can also run there. */
export function runWithRunner(runner: Runner): RunLauncher {
  return async ({ directory, launcher, argv, timeoutMs }) => {
    try {
      const limits = { timeoutMs, idleMs: timeoutMs };
      const { result } = await runner.run({
        packageDir: directory,
        launcher,
        argv,
        limits,
        busyRetryMs: 500,
      });
      return toLauncherRun(result);
    } catch (error) {
      if (!(error instanceof BrokerError)) throw error;
      return { exitCode: undefined, stdout: '', stderr: '', trouble: `could not be run: ${error.message}` };
    }
  };
}

function toLauncherRun(result: RunResult): LauncherRun {
  const trouble = sayTrouble(result);
  return {
    exitCode: result.exitCode,
    stdout: decode(result.stdout),
    stderr: decode(result.stderr),
    ...(trouble === undefined ? {} : { trouble }),
  };
}

function decode({ head, tail }: KeptOutput): string {
  return Buffer.concat([head, tail]).toString('utf8');
}

function sayTrouble(result: RunResult): string | undefined {
  switch (result.outcome) {
    case 'exited':
      return result.stdout.truncated ? `printed ${result.stdout.totalBytes} bytes, too many` : undefined;
    case 'signalled':
      return `was ended by ${result.signal ?? 'a signal'}`;
    case 'timeout':
    case 'idle':
      return `did not finish in ${Math.round(result.durationMs / 1_000)} seconds and was stopped`;
    case 'not_started':
      return `did not start: ${(result.startError ?? 'no reason is known').replace(/\.$/u, '')}`;
    case 'aborted':
      return 'was stopped';
    case 'output_limit':
      return `printed ${result.stdout.totalBytes + result.stderr.totalBytes} bytes and was stopped`;
    case 'disk_limit':
      return 'wrote too much to the disk and was stopped';
    default:
      return result.outcome satisfies never;
  }
}
