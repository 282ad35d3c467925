import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import type { ToolFile } from '../../core/artifact.ts';
import { BrokerError } from '../../core/broker-error.ts';
import { quote } from '../../core/quote.ts';
import type { WorkArea } from './work-area.ts';

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
const MAX_NAME_BYTES = 255;

/** Writes the request's files into the working directory, each under its own new name. Throws INVALID_INPUT. */
export async function layFiles(
  area: WorkArea,
  files: readonly Pick<ToolFile, 'name' | 'bytes'>[],
): Promise<void> {
  for (const file of files) {
    if (!isSafeName(file.name)) throw unsafeName(file.name);
    await layFile(area, file);
  }
}

export function isSafeName(name: string): boolean {
  return (
    name !== '' &&
    name !== '.' &&
    name !== '..' &&
    !/[/\\\p{Cc}]/u.test(name) &&
    !/\p{Cs}/u.test(name) &&
    Buffer.byteLength(name) <= MAX_NAME_BYTES
  );
}

async function layFile(area: WorkArea, file: Pick<ToolFile, 'name' | 'bytes'>): Promise<void> {
  const path = join(area.work, file.name);
  const handle = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw nameTaken(file.name);
    throw error;
  });
  try {
    await handle.writeFile(file.bytes);
    if (area.uid !== undefined) await handle.chown(area.uid, area.uid);
  } finally {
    await handle.close();
  }
}

function unsafeName(name: string): BrokerError {
  return new BrokerError('INVALID_INPUT', `files: the name ${quote(name)} cannot be used.`, {
    expectedFormat: `a bare file name of at most ${MAX_NAME_BYTES} bytes, without separators and control characters`,
    details: [{ path: '/files', message: `${quote(name)} is not a bare file name` }],
  });
}

function nameTaken(name: string): BrokerError {
  return new BrokerError('INVALID_INPUT', `files: the name ${quote(name)} is already taken.`, {
    expectedFormat: 'names that differ from each other and from `out`',
    details: [{ path: '/files', message: `${quote(name)} is already taken` }],
  });
}
