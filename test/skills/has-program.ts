import { spawnSync } from 'node:child_process';

/** Whether a program of the system is there; a test that needs it is skipped in sight when it is not. */
export function hasProgram(name: string): boolean {
  return spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined;
}
