import type { Environment } from './run-program.ts';
import type { SourcePackage } from './read-source.ts';

/** What a builder may use. */
export interface BuildTools {
  /** Variables of the person who builds: npm and uv need proxies, registries and caches. A package's own `build` gets none but PATH. */
  readonly environment: Environment;
}

/**
 * Fills `output` (an empty directory) with `launch` and what that needs. Gives the files outside the source that went
 * into it, as paths from the source. Throws an Error that shows what went wrong.
 */
export type Builder = (
  source: SourcePackage,
  output: string,
  tools: BuildTools,
) => Promise<readonly string[]>;

/** The build lacks something that others have: a program, a lock file, isolation. The package is left out, the others are built. */
export class MissingBuildTool extends Error {}
