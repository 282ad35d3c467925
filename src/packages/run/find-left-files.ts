import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { INSIDE } from './bubblewrap-arguments.ts';

/** Directory of the working directory from which everything is handed back. */
export const OUT_DIRECTORY = 'out';

const NAMING_KEYS = ['artifacts', 'images', 'plots'];
const MAX_DEPTH = 8;

/** Paths in `out/`, relative to the working directory, sorted; stops looking when there are more than `most`. */
export async function listOut(workDir: string, most: number): Promise<string[]> {
  const found: string[] = [];
  const pending = [OUT_DIRECTORY];
  for (let path = pending.pop(); path !== undefined && found.length <= most; path = pending.pop()) {
    const entries = await readdir(join(workDir, path), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.slice(0, most + 1)) {
      const inner = join(path, entry.name);
      if (!entry.isDirectory()) found.push(inner);
      else if (inner.split('/').length <= MAX_DEPTH) pending.push(inner);
    }
  }
  return found.toSorted();
}

/** Paths that the JSON names: strings, or objects with a `path`, under the agreed keys. */
export function listNamed(data: JsonObject | readonly JsonValue[] | undefined, workDir: string): string[] {
  if (!isJsonObject(data)) return [];
  return NAMING_KEYS.flatMap((key) => (Object.hasOwn(data, key) ? pathsIn(data[key]) : [])).map((path) =>
    insideWork(path, workDir),
  );
}

function pathsIn(value: JsonValue | undefined): string[] {
  const list: readonly JsonValue[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return list.flatMap((entry) => {
    const path = isJsonObject(entry) ? entry['path'] : entry;
    return typeof path === 'string' && path !== '' ? [path] : [];
  });
}

/** A program may print the absolute path that it sees; another absolute path stays one, and is refused. */
function insideWork(path: string, workDir: string): string {
  const seen = [INSIDE.work, workDir].find((top) => path.startsWith(`${top}/`));
  return seen === undefined ? path : path.slice(seen.length + 1);
}
