import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Source {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Every TypeScript file below a folder of the repository. */
export function readSources(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && file.name.endsWith('.ts') && !file.parentPath.includes('node_modules'))
    .map((file) => join(file.parentPath, file.name))
    .map((path) => ({ path: relative(root, path).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
