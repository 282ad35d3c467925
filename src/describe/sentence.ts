import type { JsonObject } from '../core/json.ts';
import type { Schema } from './read-schema.ts';

/** One fault in words, at the place that has to change. */
export interface Sentence {
  readonly path: string;
  readonly message: string;
  /** What was expected there, in words. */
  readonly expected?: string;
  /** Places that are right too once this is mended. */
  readonly mends?: readonly string[];
}

export interface Telling {
  readonly args: JsonObject;
  readonly root: Schema;
}
