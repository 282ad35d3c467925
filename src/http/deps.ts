import type { ArtifactStore } from '../broker/artifact-store.ts';
import type { ExplainCall } from '../broker/explain-call.ts';
import type { InvocationOutcome, InvocationRequest } from '../broker/invocation.ts';
import type { RunService } from '../broker/run-service.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Identify } from '../catalog/identity.ts';

export interface HttpSettings {
  /** Of the service, as OpenAPI's `info.version`. */
  readonly version: string;
  /** False: nobody needs a key, and Host must be a loopback name. */
  readonly keysConfigured: boolean;
  /** With keys: the only Host names (or `name:port`) answered to; absent means any. */
  readonly allowedHosts?: readonly string[];
  /** Origins besides the service's own, each `scheme://host[:port]`. */
  readonly allowedOrigins?: readonly string[];
  readonly maxBodyBytes: number;
  readonly maxUploadBytes: number;
  /** How long an uploaded file is kept, where no run says otherwise. */
  readonly artifactTtlMs: number;
  /** Absent: DEFAULT_TIMEOUTS. */
  readonly timeouts?: HttpTimeouts;
}

/** Each answers REQUEST_TIMEOUT, up to `checkMs` late. */
export interface HttpTimeouts {
  /** For the head of a request to arrive. */
  readonly headersMs: number;
  /** For the whole request to arrive. */
  readonly requestMs: number;
  /** How often connections are held against the two above. */
  readonly checkMs: number;
}

export const DEFAULT_TIMEOUTS: HttpTimeouts = { headersMs: 20_000, requestMs: 60_000, checkMs: 5_000 };

/** `ready`: calls are taken. The others answer 503 on `/readyz`. */
export type ReadinessState = 'ready' | 'starting' | 'draining' | 'store_lost';

/** What the routes log with; pino's logger is one. Fields never hold argument values, keys or query strings. */
interface HttpLog {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** All that the routes need from the rest of the house. */
export interface HttpDeps {
  readonly settings: HttpSettings;
  readonly identify: Identify;
  readonly runs: RunService;
  /** For operators. */
  readonly explain: ExplainCall;
  readonly catalog: Catalog;
  /** Throws a BrokerError for a call that did not start. */
  readonly invoke: (request: InvocationRequest) => Promise<InvocationOutcome>;
  readonly artifacts: ArtifactStore;
  readonly readiness: () => Promise<ReadinessState>;
  readonly log: HttpLog;
}
