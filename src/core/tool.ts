import type { ToolFile } from './artifact.ts';
import type { Fault } from './broker-error.ts';
import type { ToolFailureCode } from './error-codes.ts';
import type { JsonObject } from './json.ts';
import type { Shelf } from './shelf.ts';

/** Where a tool came from. All but the first two are third-party: their texts are not ours. */
export type Origin = 'builtin' | 'repository' | `directory:${string}` | `package:${string}`;

export function isThirdParty(origin: Origin): boolean {
  return origin !== 'builtin' && origin !== 'repository';
}

export interface ToolExample {
  /** What a person asks for, in words. */
  readonly input: string;
  /** The arguments that answer it; they satisfy the input schema. */
  readonly arguments: JsonObject;
}

export interface ToolReturns {
  readonly type: string;
  readonly description: string;
  readonly properties?: JsonObject;
}

export interface ToolErrorNote {
  readonly code: string;
  readonly description: string;
  readonly resolution: string;
}

export interface ToolLimits {
  /** From admission to answer. */
  readonly timeoutMs: number;
  /** UTF-8 bytes of the arguments as JSON. */
  readonly maxArgumentBytes: number;
  /** Raw bytes of the file. */
  readonly maxArtifactBytes: number;
}

/**
 * Which queue a call waits in, so that a slow kind cannot hold up a quick one: `inline` runs in this thread and
 * is done in a moment, `worker` in a worker thread, `process` in a child process.
 */
export type Lane = 'inline' | 'worker' | 'process';

/** Anything callable, as design section 2 defines it. Frozen once it is in the registry. */
export interface ToolSpec {
  readonly name: string;
  readonly version: string;
  readonly kind: 'tool' | 'skill';
  readonly origin: Origin;
  /** One sentence, shown in lists. */
  readonly summary: string;
  /** All a model needs to choose and call it: what, when, when not, limits. */
  readonly description: string;
  /** A JSON Schema whose root describes an object. */
  readonly inputSchema: JsonObject;
  readonly lane: Lane;
  readonly triggers?: readonly string[];
  readonly examples?: readonly ToolExample[];
  readonly returns?: ToolReturns;
  readonly errors?: readonly ToolErrorNote[];
  /** It reads the caller's shelf, and is there only for callers whose shelf holds something. */
  readonly usesShelf?: true;
  /** A call may bring files. */
  readonly takesFiles?: true;
  /** Media types of the files it can answer with; absent or empty when it never does. */
  readonly produces?: readonly string[];
  /** Overrides of the operator's defaults; a policy ceiling still applies. */
  readonly limits?: Partial<ToolLimits>;
  /** `sha256:<hex>` of what the tool is made of; absent for built-ins, whose spec is hashed instead. */
  readonly digest?: string;
}

export type ToolResult =
  | { readonly status: 'ok'; readonly output: JsonObject; readonly file?: ToolFile }
  | {
      readonly status: 'failed';
      readonly code: ToolFailureCode;
      readonly message: string;
      readonly resolution?: string;
      /** Where it differs from what the code says. */
      readonly retryable?: boolean;
      readonly output?: JsonObject;
    };

/** What a running tool may know of its call. It never sees HTTP, policy or budgets. */
export interface ExecuteContext {
  /** Aborts at the deadline, when the client leaves, or when the service stops. Its reason is an AbortReason. */
  readonly signal: AbortSignal;
  /** On the clock of performance.now(), in milliseconds. */
  readonly deadline: number;
  /** The methodology skills that this caller or run may read. */
  readonly shelf: Shelf;
  /** The files of the request; empty unless the tool takes files. Names are safe and no two alike. */
  readonly files: readonly ToolFile[];
  /** One line for the operator. Never argument values. */
  readonly log: (message: string, fields?: Readonly<Record<string, string | number | boolean>>) => void;
}

export type AbortReason = 'deadline' | 'disconnect' | 'shutdown' | 'run_over';

/** A tool as its supplier hands it over. A throw from either function is INTERNAL, but for what `execute` says below. */
export interface Tool {
  readonly spec: ToolSpec;
  /** The tool's own checks, in its own order and words, run before the schema. Empty when all is well. Cheap. */
  readonly check?: (args: JsonObject) => readonly Fault[];
  /**
   * Called with arguments that passed `check` and the schema, unchanged. Throws a BrokerError for a call that it did not
   * start, and only then.
   */
  readonly execute: (args: JsonObject, context: ExecuteContext) => Promise<ToolResult>;
}
