import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A copy of what is shipped, for a test to break; no package is built in it. */
export function copyService(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'copied-service-')));
  for (const part of ['src', 'skills', 'package.json', 'policy.yaml']) {
    cpSync(resolve(part), join(root, part), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  return root;
}

export interface CopiedService {
  readonly child: ChildProcess;
  /** What it wrote so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly exited: Promise<number | null>;
  /** The address of the start line; rejects with what was printed when the process ends before. */
  readonly url: Promise<string>;
}

/** The service of this directory as a process, in this directory. */
export function startCopy(root: string, environment: Readonly<Record<string, string>> = {}): CopiedService {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'src/main.ts')], {
    cwd: root,
    env: { PATH, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (written.stdout += piece));
  const exited = new Promise<number | null>((done) => child.once('close', (code) => done(code)));
  const url = new Promise<string>((done, fail) => {
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      written.stderr += piece;
      const found = /listens on (http:\/\/\S+)/u.exec(written.stderr)?.[1];
      if (found !== undefined) done(found);
    });
    void exited.then((code) => fail(new Error(`ended with ${code}: ${written.stderr}`)));
  });
  url.catch(() => {});
  return { child, stdout: () => written.stdout, stderr: () => written.stderr, exited, url };
}

/** SIGTERM; resolves with the exit code. */
export async function stopCopy({ child, exited }: CopiedService): Promise<number | null> {
  child.kill('SIGTERM');
  return exited;
}
