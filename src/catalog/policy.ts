import type { Role } from '../core/caller.ts';

/** Where something was written, for messages. Line and column are 1-based; an environment variable has none. */
export interface PolicyPlace {
  /** The policy's path, or the name of the environment variable. */
  readonly source: string;
  readonly line?: number;
  readonly column?: number;
}

export interface PolicyEntry {
  /** As written: a ref, the bundle `local`, or in a profile a name. */
  readonly text: string;
  readonly place: PolicyPlace;
}

export interface PolicyCaller {
  readonly name: string;
  /** Lower-case hex SHA-256 of the API key. */
  readonly keySha256: string;
  readonly roles: readonly Role[];
  readonly profile?: string;
  /** The part of what is approved that this caller may use; absent: all of it. */
  readonly approve?: readonly PolicyEntry[];
  /** So many calls in so many seconds, its runs' calls included; absent: no such limit. */
  readonly rateLimit?: { readonly requests: number; readonly windowSeconds: number };
  /** From this moment on the key is not accepted; absent: it does not end. */
  readonly expiresAt?: Date;
}

export interface PolicyProfile {
  readonly name: string;
  /** Names or refs; absent: all that is approved. */
  readonly tools?: readonly PolicyEntry[];
  /** Names of methodology skills. */
  readonly skills?: readonly PolicyEntry[];
}

export interface PolicyPackage {
  /** Any at all turns the network on; the package holds itself to the list. */
  readonly hosts: readonly string[];
  /** Names of environment variables of the service that the package gets. */
  readonly env: readonly string[];
  readonly place: PolicyPlace;
}

/** Each is a default that the operator may change. Milliseconds and bytes as the names say. */
export interface PolicyLimits {
  readonly builtinTimeoutMs: number;
  readonly maxArgumentBytes: number;
  readonly maxArtifactBytes: number;
  readonly inlineArtifactBytes: number;
  readonly artifactTtlMs: number;
  readonly artifactStoreBytes: number;
  /** Calls at once in each lane. */
  readonly maxConcurrentCalls: number;
  /** Calls that may wait in each lane. */
  readonly maxQueuedCalls: number;
  /** Ceilings of a package command: total time, time without output, memory of a process, disk. */
  readonly packageTimeoutMs: number;
  readonly packageIdleMs: number;
  readonly packageMemoryMb: number;
  readonly packageWorkDirBytes: number;
  /** Processes that are started before they are needed, all commands together. */
  readonly maxWarmProcesses: number;
  /** The longest life of a run, and its life where none is asked for; the next five likewise. */
  readonly runTtlMs: number;
  readonly runCalls: number;
  readonly runResultBytes: number;
  readonly runArtifactBytes: number;
  readonly runTimeMs: number;
  readonly runConcurrentCalls: number;
  /** Runs that are open at once, in all and for one caller. */
  readonly maxRuns: number;
  readonly maxRunsPerCaller: number;
}

/** The operator's file, read and checked by itself; names in it are not yet compared with the tools that exist. */
export interface Policy {
  readonly source: string;
  readonly approve: readonly PolicyEntry[];
  readonly limits: PolicyLimits;
  readonly defaultProfile?: string;
  readonly profiles: ReadonlyMap<string, PolicyProfile>;
  /** What each package is given, by its name. */
  readonly packages: ReadonlyMap<string, PolicyPackage>;
  /** What a package that is not shipped with the service needs to be run at all. */
  readonly minimumIsolation: 'namespaces' | 'limits';
  readonly callers: readonly PolicyCaller[];
  /** First 16 hex digits of the SHA-256 over the policy in force. */
  readonly revision: string;
  /** Where a section stands, by JSON pointer; of the nearest one around it where there is none. */
  readonly placeOf: (pointer: string) => PolicyPlace;
}
