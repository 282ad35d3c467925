import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether a program of poppler-utils or qpdf is installed; tests that need it skip in sight where it is not. */
export function hasProgram(name: 'pdftotext' | 'qpdf' | 'pdfinfo'): boolean {
  try {
    execFileSync(name, [name === 'qpdf' ? '--version' : '-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Runs a program on a PDF; `{}` among the arguments stands for its path. */
export function runOnPdf(bytes: Uint8Array, program: string, args: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'typeset-'));
  try {
    const path = join(folder, 'file.pdf');
    writeFileSync(path, bytes);
    const given = args.map((arg) => (arg === '{}' ? path : arg));
    return execFileSync(program, given, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The text of a PDF, white space collapsed. */
export function textOf(bytes: Uint8Array): string {
  return runOnPdf(bytes, 'pdftotext', ['{}', '-'])
    .replaceAll(/[\s\f]+/gu, ' ')
    .trim();
}

export interface WordBox {
  readonly xMin: number;
  readonly yMin: number;
  readonly xMax: number;
  readonly yMax: number;
  readonly word: string;
}

/** Every word with its box, in points from the top left. */
export function wordBoxes(bytes: Uint8Array): WordBox[] {
  const xml = runOnPdf(bytes, 'pdftotext', ['-bbox', '{}', '-']);
  const pattern = /<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)<\/word>/gu;
  return Array.from(xml.matchAll(pattern), ([, xMin, yMin, xMax, yMax, word = '']) => ({
    xMin: Number(xMin),
    yMin: Number(yMin),
    xMax: Number(xMax),
    yMax: Number(yMax),
    word,
  }));
}
