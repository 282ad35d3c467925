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
function readProcFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return undefined;
  }
}

/** Processes that still carry this marker, or one that begins with it when it ends with `/`. Zombies have none. */
export function findMarked(marker: string): number[] {
  const wanted = `${CALL_MARKER}=${marker}${marker.endsWith('/') ? '' : '\0'}`;
  return listPids().filter((pid) => pid !== process.pid && hasVariable(readProcFile(pid, 'environ'), wanted));
}

function hasVariable(environ: string | undefined, wanted: string): boolean {
  return environ !== undefined && (environ.startsWith(wanted) || environ.includes(`\0${wanted}`));
}

/** Processes of this real user id, without zombies. */
export function findByUid(uid: number): number[] {
  return listPids().filter((pid) => {
    const status = readProcFile(pid, 'status');
    return status !== undefined && status.includes(`\nUid:\t${uid}\t`) && !/\nState:\t[ZX]/u.test(status);
  });
}

export function findUidsInUse(): Set<number> {
  const uids = listPids().map((pid) => /\nUid:\t(\d+)\t/u.exec(readProcFile(pid, 'status') ?? '')?.[1]);
  return new Set(uids.filter((uid) => uid !== undefined).map(Number));
}

/** Threads that run under this user id: what RLIMIT_NPROC counts. */
export function countThreads(uid: number): number {
  return findByUid(uid)
    .map((pid) => Number(/\nThreads:\t(\d+)/u.exec(readProcFile(pid, 'status') ?? '')?.[1] ?? 0))
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
  const stat = readProcFile(pid, 'stat');
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}
