import { hash } from 'node:crypto';

import type { SkillFile } from './read-file-set.ts';

/** What one state of a skill directory comes to. */
export interface SkillDigest {
  /** `sha256:<hex>` over the whole file set. */
  readonly digest: string;
  /** Per path, `sha256:<hex>` of the content, with ` x` behind it when the file may be executed. */
  readonly files: ReadonlyMap<string, string>;
}

const FORMAT = 'tool-broker skill files 1';

/**
 * One SHA-256 over a file set, in an encoding that no two sets share: the number of files, then for each, sorted by path,
 * the length of the path in bytes, the path, whether it may be executed, the length of the content and its SHA-256. Every
 * number and hash ends at a character that it cannot hold, and every path is as long as the number before it says.
 */
export function digestFiles(files: readonly SkillFile[]): SkillDigest {
  let whole = `${FORMAT}\n${files.length}\n`;
  for (const { path, bytes, executable } of files) {
    const content = hash('sha256', bytes, 'hex');
    whole += `${Buffer.byteLength(path)}:${path}${executable ? ' x' : ''} ${bytes.length} ${content}\n`;
  }
  return {
    digest: `sha256:${hash('sha256', whole, 'hex')}`,
    // Seldom asked for: when pins are written, or do not match.
    get files() {
      return new Map(files.map((file) => [file.path, digestFile(file)]));
    },
  };
}

function digestFile({ bytes, executable }: SkillFile): string {
  return `sha256:${hash('sha256', bytes, 'hex')}${executable ? ' x' : ''}`;
}
