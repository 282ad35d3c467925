import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * A copy of the Python sample beside its SDK, with a lock made here: a directory of sources. Undefined on a machine
 * without uv, or without the packages that it would lock. Whoever asks removes it.
 */
export function lockTextStats(): string | undefined {
  const sources = mkdtempSync(join(tmpdir(), 'text-stats-'));
  try {
    for (const path of ['text-stats', 'sdk/python']) {
      cpSync(resolve('tool-packages', path), join(sources, path), { recursive: true });
    }
    execFileSync('uv', ['lock', '--quiet'], { cwd: join(sources, 'text-stats'), stdio: 'ignore' });
    return sources;
  } catch {
    rmSync(sources, { recursive: true, force: true });
    return undefined;
  }
}
