import { createHash, hash } from 'node:crypto';

import type { SkillFile } from './read-file-set.ts';

/** What one state of a skill directory comes to. */
export interface SkillDigest {
  /** `sha256:<hex>` over the whole file set. */
  readonly digest: string;
  /** Per path, `sha256:<hex>` of the content, with ` x` behind it when the file may be executed. */
  readonly files: ReadonlyMap<string, string>;
}

const FORMAT = 'tool-broker skill files 1\n';

/**
 * One SHA-256 over a file set, in an encoding that no two sets share: the number of files, then for each, in byte order
 * of the paths, the length of the path and the path, whether it may be executed, the length of the content and the
 * SHA-256 of the content. Numbers are 8 bytes, big-endian.
 */
export function digestFiles(files: readonly SkillFile[]): SkillDigest {
  const whole = createHash('sha256').update(FORMAT).update(uint64(files.length));
  const each = new Map<string, string>();
  for (const { path, bytes, executable } of files) {
    const content = hash('sha256', bytes, 'hex');
    const name = Buffer.from(path, 'utf8');
    whole.update(uint64(name.length)).update(name);
    whole
      .update(uint64(executable ? 1 : 0))
      .update(uint64(bytes.length))
      .update(content);
    each.set(path, `sha256:${content}${executable ? ' x' : ''}`);
  }
  return { digest: `sha256:${whole.digest('hex')}`, files: each };
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
