/**
 * How far a package's program is kept from the rest of the machine (design section 7).
 * `none`: this machine offers neither, so nothing is run.
 */
export type IsolationLevel = 'namespaces' | 'limits' | 'none';

/** What was found by trial at boot, and is used for every run. Paths are absolute. */
export interface Isolation {
  readonly level: IsolationLevel;
  /** One sentence for the log and the catalog: what is in force, and why nothing better. */
  readonly detail: string;
  readonly programs: SystemPrograms;
  /** `namespaces` only. False where /proc cannot be mounted (masked in a container); a run then has none. */
  readonly ownProc: boolean;
  /** `namespaces` only. False when the service is root: then each run has a plain user id of its own instead. */
  readonly ownUserNamespace: boolean;
  /** The service is root and may change user ids: no two runs at once share one, and none has the service's. */
  readonly ownUid: boolean;
  /** Host paths besides the system's that a run may read. */
  readonly readablePaths: readonly string[];
}

/** Absent: not on this machine. */
export interface SystemPrograms {
  readonly bubblewrap?: string;
  readonly prlimit?: string;
  readonly setpriv?: string;
}
