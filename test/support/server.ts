import { createExplainCall } from '../../src/broker/explain-call.ts';
import type { AuditRecord } from '../../src/broker/audit.ts';
import type { BrokerParts } from '../../src/broker/broker.ts';
import { createRunService } from '../../src/broker/run-service.ts';
import type { RateLimit } from '../../src/broker/rate-limiter.ts';
import type { RunCeilings } from '../../src/broker/run-request.ts';
import { createExplain } from '../../src/catalog/explain.ts';
import { wrongCredential, type Callers } from '../../src/catalog/identify.ts';
import type { Identity } from '../../src/catalog/identity.ts';
import { parsePolicy } from '../../src/catalog/policy-parse.ts';
import { runIdOf } from '../../src/core/api-key.ts';
import type { Caller } from '../../src/core/caller.ts';
import type { Shelf } from '../../src/core/shelf.ts';
import type { Tool } from '../../src/core/tool.ts';
import type { HttpDeps, HttpSettings } from '../../src/http/deps.ts';
import type { HttpServer } from '../../src/http/http-server.ts';
import { createServer } from '../../src/http/create-server.ts';
import { createMemoryArtifacts } from '../../src/state/memory/artifacts.ts';
import { createMemoryRuns, type MemoryRunLimits } from '../../src/state/memory/runs.ts';
import { makeBroker } from './calls.ts';
import { makeCatalog, makeTool } from './tools.ts';

/** Bearer credentials of the test service; `anonymous` is who calls without one where no keys are configured. */
export const testKeys = {
  runner: 'runner-key',
  other: 'other-key',
  operator: 'operator-key',
  onlyOperator: 'only-operator-key',
} as const;

/** The most that a run of the test service may have. */
export const testCeilings: RunCeilings = {
  ttlMs: 600_000,
  limits: {
    calls: 1_000,
    resultBytes: 1_000_000,
    artifactBytes: 1_000_000,
    runTimeMs: 600_000,
    concurrentCalls: 8,
  },
};

export interface TestServer {
  readonly app: HttpServer;
  readonly audited: AuditRecord[];
  readonly logged: { readonly fields: Readonly<Record<string, unknown>>; readonly message: string }[];
}

export interface TestServerParts {
  readonly tools?: readonly Tool[];
  readonly approved?: readonly string[];
  /** What every caller of the test service may read. */
  readonly shelf?: Shelf;
  readonly settings?: Partial<HttpSettings>;
  readonly broker?: Partial<BrokerParts>;
  readonly runLimits?: Partial<MemoryRunLimits>;
  /** Of the caller `runner`. */
  readonly rateLimit?: RateLimit;
  readonly deps?: Partial<HttpDeps>;
}

/** The HTTP side over a real catalog, broker and store, with small tools. */
export function makeServer(parts: TestServerParts = {}): TestServer {
  const tools = parts.tools ?? [makeTool()];
  const catalog = parts.deps?.catalog ?? makeCatalog(tools, parts.approved);
  const artifacts = createMemoryArtifacts({ maxBytes: 1_000_000 });
  const runStore = createMemoryRuns({
    maxRuns: 50,
    maxRunsPerOwner: 40,
    leaseMs: 5_000,
    now: () => performance.now(),
    ...parts.runLimits,
  });
  const { broker, audited } = makeBroker(catalog, { artifacts, budgets: runStore, ...parts.broker });
  const logged: TestServer['logged'] = [];
  const log = (fields: Readonly<Record<string, unknown>>, message: string): void =>
    void logged.push({ fields, message });
  const settings: HttpSettings = {
    version: '0.0.0-test',
    keysConfigured: false,
    maxBodyBytes: 1_048_576,
    maxUploadBytes: 100_000,
    artifactTtlMs: 60_000,
    ...parts.settings,
  };
  const approved = new Set(catalog.known.filter((tool) => tool.approved).map((tool) => tool.entry.ref));
  const callers = makeCallers(approved, settings.keysConfigured, parts);
  const runs = createRunService({ runs: runStore, artifacts, catalog, callers, ceilings: testCeilings });
  const app = createServer({
    settings,
    identify: (bearer) =>
      bearer !== undefined && runIdOf(bearer) !== undefined
        ? runs.identify(bearer)
        : callers.identify(bearer),
    runs,
    explain: createExplainCall({
      explain: createExplain({
        catalog,
        policy: parsePolicy('approve: []', 'policy.yaml'),
        approval: { approvedBy: new Map(), profiles: new Map() },
      }),
      callers,
      runs,
    }),
    catalog,
    invoke: async (request) => broker.invoke(request),
    artifacts,
    readiness: async () => 'ready',
    log: { error: log, warn: log },
    ...parts.deps,
  });
  return { app, audited, logged };
}

function makeCallers(
  approved: ReadonlySet<string>,
  keysConfigured: boolean,
  { shelf, rateLimit }: TestServerParts,
): Callers {
  const identity = (caller: Caller, own?: ReadonlySet<string>): Identity => ({
    caller,
    grant: { approved, ...(own && { caller: own }), ...(shelf && { shelf }) },
  });
  const anonymous = identity({ name: 'anonymous', roles: ['runner'] });
  const known = new Map<string, Identity>([
    [testKeys.runner, identity({ name: 'runner', roles: ['runner'], ...(rateLimit && { rateLimit }) })],
    [testKeys.other, identity({ name: 'other', roles: ['runner'] }, new Set())],
    [testKeys.operator, identity({ name: 'operator', roles: ['runner', 'operator'] })],
    [testKeys.onlyOperator, identity({ name: 'only-operator', roles: ['operator'] })],
  ]);
  return {
    named: (name) => [anonymous, ...known.values()].find(({ caller }) => caller.name === name),
    narrow: (grant, profile) =>
      profile === 'echo_only' ? { ...grant, profile: new Set(['echo@1']) } : undefined,
    identify: (bearer) => {
      const found = bearer === undefined && !keysConfigured ? anonymous : known.get(bearer ?? '');
      if (found === undefined) throw wrongCredential();
      return found;
    },
  };
}
