import { access, constants, lstat, open, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';

import { quote } from '../core/quote.ts';

const HEAD_BYTES = 512;
const ELF_MAGIC = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);
/** `e_machine` of the ELF header for Node's names of the processors. */
const ELF_MACHINES: Readonly<Record<string, number>> = {
  x64: 62,
  arm64: 183,
  ia32: 3,
  arm: 40,
  riscv64: 243,
};

/**
 * What is wrong with a launcher, as the end of a sentence, or undefined when the kernel can start it. A file with
 * neither shebang nor a whole ELF header would be handed to /bin/sh, so it is refused.
 */
export async function findLauncherFault(path: string): Promise<string | undefined> {
  const facts = await lstat(path).catch(() => undefined);
  if (facts === undefined) return 'is missing';
  if (!facts.isFile()) return 'is not a regular file';
  if (facts.size === 0) return 'is empty';
  if ((facts.mode & 0o111) === 0) return 'is not executable (chmod +x)';
  const head = await readHead(path);
  if (head.subarray(0, 2).toString('latin1') === '#!') return findShebangFault(head);
  if (head.subarray(0, 4).equals(ELF_MAGIC)) return findElfFault(head);
  return `begins with ${quote(head.subarray(0, 8).toString('latin1'))}; expected "#!" and an interpreter, or an ELF program`;
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function findShebangFault(head: Buffer): Promise<string | undefined> {
  const line = head.subarray(2).toString('latin1').split('\n', 1)[0] ?? '';
  if (line.endsWith('\r')) return 'has a first line that ends in CR LF; save it with LF line ends';
  const interpreter = line.trim().split(/[ \t]/u, 1)[0] ?? '';
  if (!isAbsolute(interpreter)) {
    return `names the interpreter ${quote(interpreter)} in its first line; expected an absolute path`;
  }
  const startable = await isStartable(interpreter);
  return startable ? undefined : `needs the interpreter ${quote(interpreter)}, which this machine lacks`;
}

async function isStartable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

function findElfFault(head: Buffer): string | undefined {
  const bits = head[4];
  const order = head[5];
  const whole =
    head.length >= (bits === 1 ? 52 : 64) && (bits === 1 || bits === 2) && (order === 1 || order === 2);
  if (!whole) return 'begins like an ELF program but has a broken header';
  const kind = order === 1 ? head.readUInt16LE(16) : head.readUInt16BE(16);
  if (kind !== 2 && kind !== 3) return 'is an ELF file but not a program';
  const machine = order === 1 ? head.readUInt16LE(18) : head.readUInt16BE(18);
  const expected = ELF_MACHINES[process.arch];
  return expected === undefined || machine === expected
    ? undefined
    : `is a program for another processor (ELF machine ${machine}; this one is ${process.arch}, ${expected})`;
}
