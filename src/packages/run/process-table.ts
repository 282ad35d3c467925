import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

import { CALL_MARKER } from './call-marker.ts';

/** Numbers of all processes that this one can see; empty where there is no /proc. */
function listPids(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^[1-9][0-9]*$/u.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** Undefined when the process is gone, or is none of ours to read. */
function readProcFile(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, 'latin1');
  } catch {
    return undefined;
  }
}

/** Where the kernel stood in giving out process numbers. */
export interface PidMark {
  readonly lastPid: number;
  /** Processes and threads made since the machine started. */
  readonly forks: number;
}

/** Fewer than half of the smallest range of numbers: so few cannot go round it. */
const MAX_FORKS = 15_000;

export function markPids(): PidMark {
  return {
    lastPid: Number(/(\d+)\s*$/u.exec(readProcFile('loadavg') ?? '')?.[1] ?? 0),
    forks: Number(/\nprocesses (\d+)/u.exec(readProcFile('stat') ?? '')?.[1] ?? 0),
  };
}

/**
 * The processes made since the mark: numbers are given out upwards, so they are the higher ones, unless the
 * numbers may have begun again in the meantime; then all.
 */
function listPidsSince(mark: PidMark | undefined): number[] {
  if (mark === undefined || mark.lastPid === 0) return listPids();
  const now = markPids();
  const isStraight = now.lastPid >= mark.lastPid && now.forks - mark.forks < MAX_FORKS;
  return isStraight ? listPids().filter((pid) => pid > mark.lastPid) : listPids();
}

/** Processes that still carry this marker, or one that begins with it when it ends with `/`. Zombies have none. */
export function findMarked(marker: string, since?: PidMark): number[] {
  const wanted = `${CALL_MARKER}=${marker}${marker.endsWith('/') ? '' : '\0'}`;
  return listPidsSince(since).filter(
    (pid) => pid !== process.pid && hasVariable(readProcFile(`${pid}/environ`), wanted),
  );
}

function hasVariable(environ: string | undefined, wanted: string): boolean {
  return environ !== undefined && (environ.startsWith(wanted) || environ.includes(`\0${wanted}`));
}

/** Processes of this real user id, without zombies. */
export function findByUid(uid: number, since?: PidMark): number[] {
  return listPidsSince(since).filter((pid) => {
    const status = readProcFile(`${pid}/status`);
    return status !== undefined && status.includes(`\nUid:\t${uid}\t`) && !/\nState:\t[ZX]/u.test(status);
  });
}

export function findUidsInUse(): Set<number> {
  const uids = listPids().map((pid) => /\nUid:\t(\d+)\t/u.exec(readProcFile(`${pid}/status`) ?? '')?.[1]);
  return new Set(uids.filter((uid) => uid !== undefined).map(Number));
}

/** Threads that run under this user id: what RLIMIT_NPROC counts. */
export function countThreads(uid: number): number {
  return findByUid(uid)
    .map((pid) => Number(/\nThreads:\t(\d+)/u.exec(readProcFile(`${pid}/status`) ?? '')?.[1] ?? 0))
    .reduce((sum, threads) => sum + threads, 0);
}

/** The members of a process group. */
export function findGroup(leader: number): number[] {
  return listPids().filter((pid) => statFields(pid)?.[2] === String(leader));
}

/** Gone, or a zombie that its parent has not fetched yet. */
export function hasEnded(pid: number): boolean {
  const state = statFields(pid)?.[0];
  return state === undefined || state === 'Z' || state === 'X';
}

/** When the process started, in clock ticks since the machine did; tells a process from a later one of its number. */
export function startTicks(pid: number): string | undefined {
  return statFields(pid)?.[19];
}

/** Which PID namespace this process is in: numbers of another one mean nothing here. */
export function pidNamespace(): string {
  try {
    return /\d+/u.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}

/** The fields of /proc/<pid>/stat behind the name, which may itself hold spaces and brackets (proc(5)). */
function statFields(pid: number): string[] | undefined {
  const stat = readProcFile(`${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}
