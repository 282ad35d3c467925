import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';

import { drainPipes } from './drain-pipes.ts';
import { endProcesses, sendSignal } from './end-processes.ts';
import { createOutputBuffer, type OutputBuffer } from './output-buffer.ts';
import { findByUid, findGroup, findMarked, hasEnded, markPids, type PidMark } from './process-table.ts';
import { readProgramEnd, type ProgramEnd } from './program-end.ts';
import { OPTIONS_FD, STATUS_FD, type SandboxCommand } from './sandbox-command.ts';
import type { WorkArea } from './work-area.ts';

/** The kernel takes a child before the service when memory runs out. */
const OOM_SCORE = '500';

/** A launcher that runs, with all that belongs to it. */
export interface StartedProcess {
  readonly stdout: OutputBuffer;
  readonly stderr: OutputBuffer;
  /** Resolves when the program has ended, every process of the run is gone, and what it wrote has been read. */
  readonly ended: Promise<ProgramEnd>;
  /** False as soon as the program has ended. */
  readonly isAlive: () => boolean;
  /** Called on every piece of output. */
  readonly onOutput: (listener: () => void) => void;
  /** Asks with SIGTERM, then kills after the grace. Only the first call counts. */
  readonly end: (graceMs: number) => void;
  readonly writeStdin: (text: string) => void;
}

export interface StartOptions {
  readonly area: WorkArea;
  readonly keepBytes: number;
  /** Keeps stdin open for `writeStdin`; else it is /dev/null. */
  readonly openStdin: boolean;
}

/** Never throws and never rejects: what spawn itself throws (E2BIG, NUL) is a start error too. */
export function startProcess(command: SandboxCommand, options: StartOptions): StartedProcess {
  const stdout = createOutputBuffer(options.keepBytes);
  const stderr = createOutputBuffer(options.keepBytes);
  const before = markPids();
  const child = trySpawn(command, options.openStdin);
  if (child instanceof Error) return neverStarted(child, { stdout, stderr });
  if (child.pid !== undefined) preferAsVictim(child.pid);
  if (command.options !== undefined) handOver(child, command.options);
  let listener: (() => void) | undefined;
  const take = (buffer: OutputBuffer) => (chunk: Buffer) => {
    buffer.push(chunk);
    listener?.();
  };
  child.stdout?.on('data', take(stdout));
  child.stderr?.on('data', take(stderr));
  // A program that does not read what it is given is its own affair (EPIPE).
  child.stdin?.on('error', () => {});
  const ended = watchEnd(child, { command, area: options.area, before, stdout, stderr });
  return {
    stdout,
    stderr,
    ended,
    isAlive: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    onOutput: (onOutput) => {
      listener = onOutput;
    },
    end: createEnding(child, command.options !== undefined),
    writeStdin: (text) => child.stdin?.end(text),
  };
}

function trySpawn(command: SandboxCommand, openStdin: boolean): ChildProcess | Error {
  const nothing = command.covered.length === 0 ? undefined : openSync('/dev/null', 'r');
  try {
    return spawn(command.file, command.args, {
      cwd: command.cwd,
      env: command.env,
      detached: true,
      stdio: listDescriptors(command, openStdin, nothing),
    });
  } catch (error) {
    return error as Error;
  } finally {
    if (nothing !== undefined) closeSync(nothing);
  }
}

type Descriptor = 'pipe' | 'ignore' | number;

/** A descriptor above 2 that is ignored is left as it is, so that /dev/null must be put over an inherited one. */
function listDescriptors(
  { options, covered }: SandboxCommand,
  openStdin: boolean,
  nothing: number | undefined,
): Descriptor[] {
  const list: Descriptor[] = [openStdin ? 'pipe' : 'ignore', 'pipe', 'pipe'];
  if (options !== undefined) list.push('pipe', 'pipe');
  if (nothing === undefined) return list;
  while (list.length <= Math.max(...covered)) list.push(covered.includes(list.length) ? nothing : 'ignore');
  return list;
}

/** Each option ends with NUL, and the end of the pipe ends them all. */
function handOver(child: ChildProcess, options: readonly string[]): void {
  const pipe = child.stdio[OPTIONS_FD] as Writable | null | undefined;
  // Where bubblewrap ends at once, how it ended says why.
  pipe?.on('error', () => {});
  pipe?.end(options.map((option) => `${option}\0`).join(''));
}

function neverStarted(cause: Error, buffers: { stdout: OutputBuffer; stderr: OutputBuffer }): StartedProcess {
  const ended = Promise.resolve({ startError: describeSpawnError(cause) });
  return {
    ...buffers,
    ended,
    isAlive: () => false,
    onOutput: () => {},
    end: () => {},
    writeStdin: () => {},
  };
}

function describeSpawnError(error: Error): string {
  return `The launcher could not be started (${(error as NodeJS.ErrnoException).code ?? error.name}).`;
}

/** Best effort: raising one's own child's score needs no privilege where /proc is writable. */
function preferAsVictim(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, OOM_SCORE);
  } catch {
    // It has ended already, or /proc is read-only here.
  }
}

interface WatchedProcess {
  readonly command: SandboxCommand;
  readonly area: WorkArea;
  /** Taken before it was started. */
  readonly before: PidMark;
  readonly stdout: OutputBuffer;
  readonly stderr: OutputBuffer;
}

/** `exit`, then the kill of all that is left, then a short wait for the pipes: never `close` alone. */
async function watchEnd(child: ChildProcess, run: WatchedProcess): Promise<ProgramEnd> {
  const report = collect(child.stdio[STATUS_FD] as Readable | null | undefined);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const raw = await new Promise<{ code: number | null; signal: NodeJS.Signals | null } | Error>((resolve) => {
    child.once('error', resolve);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  if (raw instanceof Error) return { startError: describeSpawnError(raw) };
  // At once: as long as a member lives, the number of the group cannot be given to another.
  if (child.pid !== undefined) sendSignal(-child.pid, 'SIGKILL');
  await endSurvivors(run, report());
  await drainPipes(closed, () => run.stdout.totalBytes() + run.stderr.totalBytes());
  for (const stream of child.stdio) stream?.destroy();
  const stderr = run.stderr.read().head.subarray(0, 1_024).toString('latin1');
  return readProgramEnd({ ...raw, report: run.command.options === undefined ? undefined : report(), stderr });
}

/** A PID namespace takes every process with it: its first one is gone last. Without one they are looked for. */
async function endSurvivors({ command, area, before }: WatchedProcess, report: string): Promise<void> {
  if (command.options !== undefined) {
    const first = /"child-pid": (\d+)/u.exec(report)?.[1];
    await endProcesses(() => (first === undefined || hasEnded(Number(first)) ? [] : [Number(first)]));
    return;
  }
  const { uid, marker } = area;
  await endProcesses(() => (uid === undefined ? findMarked(marker, before) : findByUid(uid, before)));
}

function collect(stream: Readable | null | undefined): () => string {
  let text = '';
  stream?.setEncoding('latin1').on('data', (piece: string) => {
    text += piece;
  });
  stream?.on('error', () => {});
  return () => text;
}

function createEnding(child: ChildProcess, isWrapped: boolean): (graceMs: number) => void {
  let ending = false;
  return (graceMs) => {
    const { pid } = child;
    if (ending || pid === undefined) return;
    ending = true;
    askToEnd(pid, isWrapped);
    const timer = setTimeout(() => sendSignal(-pid, 'SIGKILL'), graceMs);
    child.once('exit', () => clearTimeout(timer));
  };
}

/** SIGTERM would end bubblewrap itself at once, and the program with it, without its grace. */
function askToEnd(leader: number, isWrapped: boolean): void {
  if (!isWrapped) {
    sendSignal(-leader, 'SIGTERM');
    return;
  }
  for (const pid of findGroup(leader)) if (pid !== leader) sendSignal(pid, 'SIGTERM');
}
