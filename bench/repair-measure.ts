import { canonicalJson, type JsonObject, type JsonValue } from '../src/core/json.ts';
import { createSchemaCompiler } from '../src/catalog/compile-schema.ts';
import type { ToolSpec } from '../src/core/tool.ts';
import { describeArgumentFaults } from '../src/describe/describe-argument-faults.ts';
import { repair } from './repair-agent.ts';
import { breakArguments, withValue } from './repair-breaks.ts';
import { BREAK_KINDS, type BreakKind, type RepairCase, type RepairSubject } from './repair-cases.ts';

export interface Tally {
  readonly kind: BreakKind | 'all';
  cases: number;
  /** Right after one step, and after at most two. */
  one: number;
  two: number;
}

export interface Failure {
  readonly tool: string;
  readonly kind: BreakKind;
  readonly places: readonly string[];
  readonly broken: JsonObject;
  readonly message: string;
  readonly repaired: JsonObject;
}

export interface Measured {
  readonly schemas: number;
  /** Subjects whose schema does not compile or whose arguments are not valid. */
  readonly skipped: readonly string[];
  readonly tallies: readonly Tally[];
  readonly failures: readonly Failure[];
}

/** Breaks each subject in every way, lets the repairer read the error, and counts what came back right. */
export function measureRepair(subjects: readonly RepairSubject[]): Measured {
  const compile = createSchemaCompiler();
  const tallies = new Map<string, Tally>(
    ['all' as const, ...BREAK_KINDS].map((kind) => [kind, { kind, cases: 0, one: 0, two: 0 }]),
  );
  const failures: Failure[] = [];
  const skipped: string[] = [];
  for (const subject of subjects) {
    const compiled = compile(subject.schema);
    if (!compiled.ok || compiled.validate(subject.arguments).length > 0) {
      skipped.push(subject.name);
      continue;
    }
    for (const one of distinct(breakArguments(subject))) {
      if (compiled.validate(one.broken).length === 0) continue;
      const outcome = attempt(one, compiled.validate);
      for (const tally of [tallies.get('all'), tallies.get(one.kind)]) {
        if (tally === undefined) continue;
        tally.cases += 1;
        tally.one += outcome.steps === 1 ? 1 : 0;
        tally.two += outcome.steps > 0 ? 1 : 0;
      }
      if (outcome.steps !== 1)
        failures.push({
          tool: subject.name,
          kind: one.kind,
          places: one.places,
          broken: one.broken,
          ...outcome,
        });
    }
  }
  return { schemas: subjects.length - skipped.length, skipped, tallies: [...tallies.values()], failures };
}

function distinct(cases: readonly RepairCase[]): RepairCase[] {
  return [
    ...new Map(cases.map((one) => [`${one.places.join()} ${JSON.stringify(one.broken)}`, one])).values(),
  ];
}

type Validate = Extract<ReturnType<ReturnType<typeof createSchemaCompiler>>, { ok: true }>['validate'];

/** `steps`: how many repairs it took, 0 when two were not enough. */
function attempt(
  one: RepairCase,
  validate: Validate,
): { steps: number; message: string; repaired: JsonObject } {
  let args = one.broken;
  let message = '';
  for (let step = 1; step <= 2; step += 1) {
    const body = describeArgumentFaults(specOf(one.subject), args, validate(args));
    message ||= body.details.map((detail) => `${detail.path}: ${detail.message}`).join(' | ');
    args = repair(args, JSON.parse(JSON.stringify(body)) as typeof body);
    if (validate(args).length === 0) return { steps: isRight(one, args) ? step : 0, message, repaired: args };
  }
  return { steps: 0, message, repaired: args };
}

function specOf(subject: RepairSubject): ToolSpec {
  return {
    name: subject.name,
    version: '1',
    kind: 'tool',
    origin: 'builtin',
    summary: '',
    description: '',
    inputSchema: subject.schema,
    lane: 'inline',
  };
}

/** Valid is not enough: all but the broken place must be as it was, and where nothing was lost, that too. */
function isRight(one: RepairCase, repaired: JsonObject): boolean {
  const original = one.subject.arguments;
  if (one.exact) return same(original, repaired);
  return same(mask(original, one.places), mask(repaired, one.places));
}

function mask(value: JsonValue, places: readonly string[]): JsonValue {
  return places.reduce((whole, place) => withValue(whole, place, '(broken place)'), value);
}

function same(a: JsonValue, b: JsonValue): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
