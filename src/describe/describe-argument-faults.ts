import type { Fault } from '../core/broker-error.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { SchemaFault } from '../core/schema-fault.ts';
import type { ToolSpec } from '../core/tool.ts';
import { attributeFaults } from './attribute-faults.ts';
import { chooseForms, type Told } from './choose-form.ts';
import { exampleFor } from './example-for.ts';
import { faultSentence } from './fault-sentence.ts';
import { findWrappers } from './find-wrapper.ts';
import { pairMisspelt } from './pair-misspelt.ts';
import { satisfies } from './satisfies.ts';
import type { Sentence, Telling } from './sentence.ts';

/** What an INVALID_INPUT answer says about arguments; the members are those of ErrorFacts, plus the message. */
export interface ArgumentFaults {
  readonly message: string;
  readonly details: Fault[];
  readonly expectedFormat?: string;
  readonly example?: JsonValue;
}

const MAX_DETAILS = 50;
/** Some of them fall together into one entry. */
const MAX_TOLD = 200;
const MAX_EXAMPLE_CHARACTERS = 4_000;

/**
 * A validator's faults (Ajv's, all of them) in words that a model can act on: one entry per thing wrong, at the
 * place that has to change, with what was received, what is expected and, where that can be told, what to send.
 * `example` is small and valid. Never throws.
 */
export function describeArgumentFaults(
  spec: ToolSpec,
  args: JsonObject,
  faults: readonly SchemaFault[],
): ArgumentFaults {
  const root = spec.inputSchema;
  const told = chooseForms(attributeFaults(root, args, faults), args, root);
  const sentences = tell(told.length > 0 ? told : plainly(faults), { args, root });
  const details = sentences.slice(0, MAX_DETAILS).map(({ path, message }) => ({ path, message }));
  const expectedFormat = sentences[0]?.expected;
  const example = exampleOf(spec);
  return {
    message: summarise(spec, sentences),
    details,
    ...(expectedFormat === undefined ? {} : { expectedFormat }),
    ...(example === undefined ? {} : { example }),
  };
}

function tell(told: readonly Told[], telling: Telling): Sentence[] {
  const unwrapped = findWrappers(told, telling);
  const sentences = pairMisspelt(unwrapped.told.slice(0, MAX_TOLD), telling).map((one) =>
    faultSentence(one, telling),
  );
  return withoutMended([...unwrapped.sentences, ...sentences]);
}

/** One entry a place, and none for a place that is right as soon as another entry has been followed. */
function withoutMended(sentences: readonly Sentence[]): Sentence[] {
  const left: Sentence[] = [];
  const mended = new Set<string>();
  const strongFirst = sentences.toSorted((a, b) => (b.mends?.length ?? 0) - (a.mends?.length ?? 0));
  for (const one of strongFirst) {
    if (mended.has(one.path)) continue;
    left.push(one);
    for (const place of one.mends ?? []) mended.add(place);
  }
  const order = new Map(sentences.map((one, index) => [one, index]));
  const inOrder = left.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  return [...new Map(inOrder.map((one) => [`${one.path}\n${one.message}`, one])).values()];
}

/** The faults as they came, should nothing better be found. */
function plainly(faults: readonly SchemaFault[]): Told[] {
  return faults.slice(0, MAX_DETAILS).map((fault) => ({
    complaint: { kind: 'plain', pointer: fault.instancePath, fault, schema: {}, around: [] },
    form: '',
  }));
}

function summarise(spec: ToolSpec, sentences: readonly Sentence[]): string {
  const [first, ...others] = sentences;
  if (first === undefined) return `The arguments of ${spec.name} are not valid.`;
  const where = first.path === '' ? 'arguments' : first.path;
  const more = others.length === 0 ? '' : ` (and ${others.length} more, see details)`;
  return `${where}: ${first.message}${more}`;
}

const examples = new WeakMap<JsonObject, { readonly value: JsonValue | undefined }>();

/** The tool's own first example that is sure to be valid, else one made from the schema. Worked out once a tool. */
function exampleOf(spec: ToolSpec): JsonValue | undefined {
  const kept = examples.get(spec.inputSchema);
  if (kept !== undefined) return kept.value;
  const own = (spec.examples ?? []).map((one) => one.arguments);
  const value =
    own.find((one) => satisfies(one, spec.inputSchema, spec.inputSchema)) ?? exampleFor(spec.inputSchema);
  const isShort = value !== undefined && JSON.stringify(value).length <= MAX_EXAMPLE_CHARACTERS;
  const settled = { value: isShort ? value : undefined };
  examples.set(spec.inputSchema, settled);
  return settled.value;
}
