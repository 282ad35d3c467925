/** What one run may use up. Every number is a whole number; the run is refused what would go over. */
export interface RunLimits {
  readonly calls: number;
  /** By tool name; a tool that is not named has only the total. */
  readonly callsPerTool: Readonly<Record<string, number>>;
  /** Bytes of `output` as JSON, all calls together. */
  readonly resultBytes: number;
  /** Raw bytes of files, all calls together. */
  readonly artifactBytes: number;
  /** Time in which tools ran, all calls together, in milliseconds. */
  readonly runTimeMs: number;
  /** Calls at once. */
  readonly concurrentCalls: number;
}

/** What a run has used up so far, in the units of its limits. */
export interface RunUsage {
  readonly calls: number;
  readonly callsPerTool: Readonly<Record<string, number>>;
  readonly resultBytes: number;
  readonly artifactBytes: number;
  readonly runTimeMs: number;
  readonly concurrentCalls: number;
}

/** One job of an agent. Fixed from its start to its end. */
export interface Run {
  readonly id: string;
  /** The caller that started it. */
  readonly owner: string;
  /** Lower-case hex SHA-256 of its token. */
  readonly tokenSha256: string;
  /** The profile it was started under; absent: its owner's. */
  readonly profile?: string;
  /** The refs that it may call. Sorted. */
  readonly tools: readonly string[];
  /** The methodology skills that it may read. Sorted. */
  readonly skills: readonly string[];
  readonly limits: RunLimits;
  readonly labels: Readonly<Record<string, string>>;
  readonly startedAt: Date;
  readonly expiresAt: Date;
}
