import { open, type FileHandle } from 'node:fs/promises';

import { quote } from '../../core/quote.ts';

const SHEBANG_BYTES = 256;
const ELF = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);

/**
 * Undefined when the kernel can run this file as it stands, else why not, as a sentence. A file without a known
 * start would be run by a shell as a script, whatever it holds (execvp), so it is refused.
 */
export async function inspectLauncher(path: string): Promise<string | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r');
    const about = await file.stat();
    if (!about.isFile()) return 'The launcher is not a regular file.';
    if ((about.mode & 0o111) === 0) return 'The launcher is not executable: run `chmod +x` on it.';
    const { bytesRead, buffer } = await file.read(Buffer.alloc(SHEBANG_BYTES), 0, SHEBANG_BYTES, 0);
    return inspectStart(buffer.subarray(0, bytesRead));
  } catch (error) {
    return `The launcher cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`;
  } finally {
    await file?.close();
  }
}

function inspectStart(start: Buffer): string | undefined {
  if (start.length === 0) return 'The launcher is an empty file.';
  if (start.subarray(0, ELF.length).equals(ELF)) return undefined;
  if (start.subarray(0, 2).toString('latin1') !== '#!') {
    return 'The launcher is neither an ELF program nor a script that starts with `#!`.';
  }
  const line = start.toString('latin1').split('\n', 1)[0] ?? '';
  if (line.endsWith('\r')) {
    return `The first line of the launcher, ${quote(line)}, ends with a carriage return: save it with \\n line ends.`;
  }
  return undefined;
}
