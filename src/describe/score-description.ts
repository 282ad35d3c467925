import { flattenSchema, schemaMap, type Schema } from './read-schema.ts';

/** Seed 3's five criteria, each from 0 to 1. */
export interface Scores {
  readonly clarity: number;
  readonly completeness: number;
  readonly accuracy: number;
  readonly actionability: number;
  readonly consistency: number;
}

/** What a description is measured against. */
export interface ScoredTool {
  readonly name: string;
  readonly parameters?: readonly { readonly name: string }[];
  readonly inputSchema?: Schema;
}

/** What made a score what it is. */
export interface Terms {
  /** Vague terms, found anywhere, inside other words too. */
  readonly vague: readonly string[];
  readonly ambiguous: readonly string[];
  readonly missingSections: readonly string[];
  readonly missingNames: readonly string[];
  readonly missingSignals: readonly string[];
  readonly mixedNaming: boolean;
}

const VAGUE_TERMS = ['help', 'assist', 'thing', 'stuff', 'handle'] as const;
const AMBIGUOUS_TERMS = ['it', 'this', 'that'] as const;
const SIGNALS = ['Use when', 'Returns', 'Errors', 'Args', 'Parameters'] as const;

/** The parameter names of a tool: those stated, else those of its schema. */
export function parameterNames(tool: ScoredTool): string[] {
  if (tool.parameters !== undefined) return tool.parameters.map((parameter) => parameter.name);
  const schema = tool.inputSchema;
  return schema === undefined
    ? []
    : schemaMap(flattenSchema(schema, schema)['properties']).map(([name]) => name);
}

/** Finds what the seed's formulas count, as the seed counts it: by substring, each term once. */
export function findTerms(description: string, tool: ScoredTool): Terms {
  const lower = description.toLowerCase();
  const sections = [`## ${tool.name}`, '### Parameters', '### Returns', '### Errors'];
  return {
    vague: VAGUE_TERMS.filter((term) => lower.includes(term)),
    ambiguous: AMBIGUOUS_TERMS.filter((term) => description.includes(` ${term} `)),
    missingSections: sections.filter((section) => !description.includes(section)),
    missingNames: parameterNames(tool).filter((name) => !description.includes(name)),
    missingSignals: SIGNALS.filter((signal) => !description.includes(signal)),
    mixedNaming: /[a-z][A-Z]/u.test(description) && /[a-z]_[a-z]/u.test(description),
  };
}

/** Seed 3's formulas (seeds.md 3.1 item 8), to the letter. */
export function scoreTerms(terms: Terms, description: string, tool: ScoredTool): Scores {
  const nameLoss = description.includes(tool.name) ? 0 : 0.3;
  return {
    clarity: Math.max(0, 1 - terms.vague.length * 0.1 - terms.ambiguous.length * 0.05),
    completeness: (4 - terms.missingSections.length) / 4,
    accuracy: Math.max(0, 1 - nameLoss - terms.missingNames.length * 0.15),
    actionability: (SIGNALS.length - terms.missingSignals.length) / SIGNALS.length,
    consistency: terms.mixedNaming ? 0.5 : 1,
  };
}
