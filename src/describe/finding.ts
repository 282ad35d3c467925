import type { Scores } from './score-description.ts';

/** Something that a reader of the scores should know. */
export interface Finding {
  /** `score`: a term that the formulas counted. `own`: what they do not see. */
  readonly set: 'score' | 'own';
  /** A fixed word for the kind of finding. */
  readonly rule: string;
  readonly message: string;
  /** The parameter that it is about, as a JSON pointer into the schema's properties. */
  readonly path?: string;
  /** Where a formula is known to be wrong: the criterion, and what it would be by meaning. */
  readonly adjusts?: { readonly criterion: keyof Scores; readonly to: number };
}

/** A finding of our own. */
export function ownFinding(rule: string, message: string, more: Partial<Finding> = {}): Finding {
  return { set: 'own', rule, message, ...more };
}
