import { BrokerError, type Fault } from '../core/broker-error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { isName } from '../core/ref.ts';
import type { RunLimits } from '../core/run.ts';
import { fieldsOf, isText, readCount, refuse, type FaultList } from './request-fields.ts';

/** The most that a run may be given, and what it gets where nothing is asked for. */
export interface RunCeilings {
  readonly ttlMs: number;
  readonly limits: Omit<RunLimits, 'callsPerTool'>;
}

/** What a caller asks for, checked. Absent: all that the caller may do. */
export interface RunRequest {
  readonly profile?: string;
  /** Names, refs, packages and `package:command`. [] is nothing. */
  readonly tools?: readonly string[];
  /** Budgets by tool as they are written are names, refs or `package:command`; nothing is known of them yet. */
  readonly limits: RunLimits;
  readonly ttlMs: number;
  readonly labels: Readonly<Record<string, string>>;
}

/** How much a request may hold; the OpenAPI document says the same. */
export const RUN_REQUEST_BOUNDS = {
  maxTools: 1_000,
  maxToolCharacters: 256,
  maxLabels: 32,
  maxLabelNameCharacters: 64,
  maxLabelCharacters: 256,
} as const;

/** Each budget as it is written in requests and answers. */
const BUDGET_NAMES = {
  calls: 'calls',
  resultBytes: 'result_bytes',
  artifactBytes: 'artifact_bytes',
  runTimeMs: 'run_time_ms',
  concurrentCalls: 'concurrent_calls',
} as const satisfies Record<keyof RunCeilings['limits'], string>;

const FIELDS = ['profile', 'tools', 'limits', 'ttl_seconds', 'labels'];
const LIMIT_FIELDS = [...Object.values(BUDGET_NAMES), 'calls_per_tool'];
const LABEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$/u;

/**
 * The body of `POST /v1/runs`, every limit below the policy's. Nothing is coerced and nothing is left out in silence.
 * Throws INVALID_INPUT that names every fault.
 */
export function readRunRequest(body: JsonObject, ceilings: RunCeilings): RunRequest {
  const faults: FaultList = [];
  const fields = fieldsOf(body, { path: '', known: FIELDS, faults });
  const profile = readProfile(fields['profile'], faults);
  const tools = readTools(fields['tools'], faults);
  const limits = readLimits(fields['limits'], ceilings.limits, faults);
  const maxSeconds = Math.floor(ceilings.ttlMs / 1_000);
  const seconds = readCount(fields['ttl_seconds'], { path: '/ttl_seconds', ceiling: maxSeconds, faults });
  const labels = readLabels(fields['labels'], faults);
  if (faults.length > 0) throw invalid(faults);
  return {
    ...(profile !== undefined && { profile }),
    ...(tools && { tools }),
    limits,
    ttlMs: seconds === undefined ? ceilings.ttlMs : seconds * 1_000,
    labels,
  };
}

function readProfile(given: JsonValue | undefined, faults: FaultList): string | undefined {
  if (given === undefined || (typeof given === 'string' && isName(given))) return given;
  refuse(given, { path: '/profile', expected: 'the name of a profile', faults });
  return undefined;
}

function readTools(given: JsonValue | undefined, faults: FaultList): readonly string[] | undefined {
  const { maxTools, maxToolCharacters } = RUN_REQUEST_BOUNDS;
  if (given === undefined) return undefined;
  if (!Array.isArray(given)) {
    refuse(given, { path: '/tools', expected: 'a list of names and refs', faults });
    return undefined;
  }
  const entries = given as readonly JsonValue[];
  if (entries.length > maxTools) {
    faults.push({ path: '/tools', message: `has ${entries.length} entries; at most ${maxTools} are taken` });
    return undefined;
  }
  const expected = `a text of 1 to ${maxToolCharacters} characters`;
  return entries.filter((entry, index): entry is string => {
    if (isText(entry, maxToolCharacters)) return true;
    refuse(entry, { path: `/tools/${index}`, expected, faults });
    return false;
  });
}

function readLimits(
  given: JsonValue | undefined,
  ceilings: RunCeilings['limits'],
  faults: FaultList,
): RunLimits {
  const fields = fieldsOf(given ?? {}, { path: '/limits', known: LIMIT_FIELDS, faults });
  const totals = Object.entries(BUDGET_NAMES).map(([field, name]) => {
    const ceiling = ceilings[field as keyof typeof BUDGET_NAMES];
    return [field, readCount(fields[name], { path: `/limits/${name}`, ceiling, faults }) ?? ceiling] as const;
  });
  return {
    ...(Object.fromEntries(totals) as unknown as RunCeilings['limits']),
    callsPerTool: readCallsPerTool(fields['calls_per_tool'], ceilings.calls, faults),
  };
}

function readCallsPerTool(
  given: JsonValue | undefined,
  ceiling: number,
  faults: FaultList,
): Readonly<Record<string, number>> {
  const path = '/limits/calls_per_tool';
  const entries = entriesOf(given, { path, max: RUN_REQUEST_BOUNDS.maxTools, faults });
  const counts = entries.map(([tool, calls]) => [
    tool,
    readCount(calls, { path: `${path}/${escapeToken(tool)}`, ceiling, faults }) ?? ceiling,
  ]);
  return Object.fromEntries(counts) as Record<string, number>;
}

function readLabels(given: JsonValue | undefined, faults: FaultList): Readonly<Record<string, string>> {
  const { maxLabels, maxLabelCharacters } = RUN_REQUEST_BOUNDS;
  const entries = entriesOf(given, { path: '/labels', max: maxLabels, faults });
  for (const [name, value] of entries) {
    const path = `/labels/${escapeToken(name)}`;
    if (!LABEL_NAME.test(name)) {
      faults.push({ path, message: 'has a name that is not 1 to 64 of A-Z a-z 0-9 . _ / -' });
    } else if (typeof value !== 'string' || Array.from(value).length > maxLabelCharacters) {
      refuse(value, { path, expected: `a text of at most ${maxLabelCharacters} characters`, faults });
    }
  }
  return Object.fromEntries(entries) as Record<string, string>;
}

function entriesOf(
  given: JsonValue | undefined,
  { path, max, faults }: { path: string; max: number; faults: FaultList },
): readonly (readonly [string, JsonValue])[] {
  if (given === undefined) return [];
  if (!isJsonObject(given)) {
    refuse(given, { path, expected: 'an object', faults });
    return [];
  }
  const entries = Object.entries(given);
  if (entries.length <= max) return entries;
  faults.push({ path, message: `has ${entries.length} entries; at most ${max} are taken` });
  return [];
}

function escapeToken(name: string): string {
  return name.slice(0, 256).replaceAll('~', '~0').replaceAll('/', '~1');
}

const MAX_TOLD = 20;

function invalid(faults: readonly Fault[]): BrokerError {
  const [first] = faults;
  const name = first?.path.slice(1).replaceAll('/', '.');
  const more = faults.length > 1 ? ` ${faults.length - 1} more in \`details\`.` : '';
  return new BrokerError('INVALID_INPUT', `${name} ${first?.message}.${more}`, {
    details: faults.slice(0, MAX_TOLD),
  });
}
