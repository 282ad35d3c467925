import type { Finding } from './finding.ts';

/** `error`: no model should be given this text. `warning`: it can be mended. `note`: what a score is made of. */
export type Severity = 'error' | 'warning' | 'note';

const ERRORS: ReadonlySet<string> = new Set(['concealed', 'no_usage', 'overlap']);
const WARNINGS: ReadonlySet<string> = new Set([
  'no_parameter_description',
  'no_limit',
  'limit_not_stated',
  'cryptic_name',
  'mixed_parameter_names',
  'no_example',
]);

/** How much a finding weighs where descriptions are gated. */
export function severityOf({ set, rule }: Finding): Severity {
  if (set === 'score') return 'note';
  if (ERRORS.has(rule)) return 'error';
  return WARNINGS.has(rule) ? 'warning' : 'note';
}
