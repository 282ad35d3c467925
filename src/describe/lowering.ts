import type { JsonObject } from '../core/json.ts';
import type { Schema } from './read-schema.ts';

/** One difference between a tool and what is exported of it. */
export interface ExportNote {
  readonly tool: string;
  /** JSON pointer into the tool's input schema; '' for the whole. */
  readonly path: string;
  readonly change: 'dropped' | 'rewritten' | 'cut' | 'left_out' | 'too_many';
  readonly keyword: string;
  readonly message: string;
  /** Whether the broker checks at the call what the exported schema no longer says. */
  readonly still_checked: boolean;
}

/** What a model API can take. */
export interface SchemaRules {
  /** How an array's items are said: with `items` alone, or with `prefixItems` as well. */
  readonly lists: 'items' | 'prefixItems';
  /** Names of arguments. */
  readonly propertyName: RegExp;
}

/** Shared by all steps of one schema. */
export interface Lowering {
  readonly root: JsonObject;
  readonly rules: SchemaRules;
  readonly tool: string;
  readonly notes: ExportNote[];
  /** Definitions that had no place of their own under `$defs`, by what they are a copy of. */
  readonly hoisted: Map<Schema, string>;
  /** Some part cannot be said in full. */
  readonly isLoose: boolean;
}

/** Adds a line to the report. */
export function note(
  lowering: Lowering,
  path: string,
  what: Pick<ExportNote, 'change' | 'keyword' | 'message'>,
): void {
  lowering.notes.push({ tool: lowering.tool, path, ...what, still_checked: true });
}
