import type { ToolSpec } from '../core/tool.ts';

/** A command that may be called: its spec is whole and frozen in the prebuilt files. */
export interface DiscoveredCommand {
  readonly name: string;
  /** `kind: 'tool'`, `lane: 'process'`, `origin: 'package:<name>'`; `digest` is that of the package. */
  readonly spec: ToolSpec;
}

/** What a package asks for; absent means the operator's default. Milliseconds and mebibytes as the names say. */
export interface PackageLimits {
  readonly timeoutMs?: number;
  readonly idleMs?: number;
  readonly memoryMb?: number;
}

/** A file as it was read at boot. */
export interface PinnedFile {
  /** Absolute. */
  readonly path: string;
  /** `sha256:<hex>`. */
  readonly sha256: string;
}

/** A prebuilt package that passed every check at boot. */
export interface DiscoveredPackage {
  readonly name: string;
  readonly version: string;
  /** Absolute, with links resolved. A call may read it and must not write it. */
  readonly directory: string;
  /** Absolute path of the program, inside `directory`. */
  readonly launcher: string;
  /** The launcher and the manifest, which has the digest of every other file: what each call holds against the disk. */
  readonly pinned: readonly PinnedFile[];
  /** Arguments go to stdin (`./launch <command> -`), and the process may be started before the call. */
  readonly stdin: boolean;
  /** A command reads files of the request. */
  readonly files: boolean;
  /** Asked for, not granted. */
  readonly hosts: readonly string[];
  readonly limits: PackageLimits;
  /** `sha256:<hex>` over the package's manifest and every file in it. */
  readonly digest: string;
  /** Sorted by name; empty for a package that only carries an environment. */
  readonly commands: readonly DiscoveredCommand[];
}

/** One command that is left out while the rest of its package lives. */
export interface RefusedCommand {
  readonly origin: `package:${string}`;
  /** The file that is at fault. */
  readonly source: string;
  readonly reason: string;
  /** `command@version`. */
  readonly ref: string;
}

/** All that `discoverPackages` found. Packages are sorted by name. */
export interface PackageDiscovery {
  readonly packages: readonly DiscoveredPackage[];
  readonly refusals: readonly RefusedCommand[];
}
