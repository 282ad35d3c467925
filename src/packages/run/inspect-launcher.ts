import { open, type FileHandle } from 'node:fs/promises';

import { quote } from '../../core/quote.ts';

const SHEBANG_BYTES = 256;
const ELF = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);
/** Up to and with `e_machine`. */
const ELF_HEADER_BYTES = 20;

/** `e_machine` of the processors that Node runs on (ELF specification); another one cannot be executed. */
const MACHINES: Readonly<Partial<Record<NodeJS.Architecture, readonly number[]>>> = {
  x64: [62, 3],
  ia32: [3],
  arm64: [183, 40],
  arm: [40],
  riscv64: [243],
  loong64: [258],
  ppc64: [21],
  s390x: [22],
};

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
  if (start.subarray(0, ELF.length).equals(ELF)) return inspectElf(start);
  if (start.subarray(0, 2).toString('latin1') !== '#!') {
    return 'The launcher is neither an ELF program nor a script that starts with `#!`.';
  }
  const line = start.toString('latin1').split('\n', 1)[0] ?? '';
  if (line.endsWith('\r')) {
    return `The first line of the launcher, ${quote(line)}, ends with a carriage return: save it with \\n line ends.`;
  }
  return undefined;
}

function inspectElf(start: Buffer): string | undefined {
  const [bits, order, version] = start.subarray(4, 7);
  const isLittle = order === 1;
  const read = (at: number): number => (isLittle ? start.readUInt16LE(at) : start.readUInt16BE(at));
  const isWhole = start.length >= ELF_HEADER_BYTES && (bits === 1 || bits === 2) && (isLittle || order === 2);
  // e_type: 2 is a program, 3 one that may be loaded anywhere.
  if (!isWhole || version !== 1 || ![2, 3].includes(read(16))) {
    return 'The launcher is a broken ELF program.';
  }
  const machines = MACHINES[process.arch];
  if (machines === undefined || machines.includes(read(18))) return undefined;
  return `The launcher was built for another processor than this machine's (${process.arch}).`;
}
