/** How one run of a launcher ended. Both texts are kept up to 1 MiB. */
export interface LauncherRun {
  /** Undefined when it did not start or was killed. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it ended without an exit code of its own, or was cut short, as a sentence. */
  readonly trouble?: string;
}

/**
 * Runs `./launch <argv…>` of a package as a call would be run: same isolation, limits and environment. Never
 * rejects for what the program does.
 */
export type RunLauncher = (request: {
  /** Absolute. */
  readonly directory: string;
  readonly launcher: string;
  readonly argv: readonly string[];
  readonly timeoutMs: number;
}) => Promise<LauncherRun>;
