import { zip, type AsyncZippable } from 'fflate';

import type { ToolFile } from '../../core/artifact.ts';

/** The first moment that a zip can hold, in the local time that fflate writes: the same bytes for the same files. */
const FIXED_TIME = new Date(1980, 0, 1);

/** Several files as one; the names are paths inside the archive and differ from each other. */
export async function packFiles(name: string, files: readonly ToolFile[]): Promise<ToolFile> {
  const entries: AsyncZippable = Object.fromEntries(files.map((file) => [file.name, file.bytes]));
  const bytes = await new Promise<Uint8Array>((resolve, reject) => {
    zip(entries, { mtime: FIXED_TIME, level: 6 }, (error, data) => {
      if (error === null) resolve(data);
      else reject(error);
    });
  });
  return { name, mediaType: 'application/zip', bytes };
}
