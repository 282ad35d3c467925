import { formatRef } from '../core/ref.ts';
import type { ToolSpec } from '../core/tool.ts';
import { adjustedScores, evaluateTool } from '../describe/evaluate-description.ts';
import type { Finding } from '../describe/finding.ts';
import type { Scores } from '../describe/score-description.ts';
import { severityOf, type Severity } from '../describe/severity.ts';

/** What is to be said of one description. */
export interface LintedTool {
  readonly ref: string;
  readonly origin: string;
  /** By seed 3's formulas. */
  readonly scores: Scores;
  /** The same with their known errors put right. */
  readonly adjustedScores: Scores;
  readonly findings: readonly (Finding & { readonly severity: Severity })[];
  /** Criteria whose adjusted score is below the least one asked for. */
  readonly tooLow: readonly string[];
}

/** Formulas that subtract tenths end a hair below what they mean. */
const ROUNDING = 1e-9;

/** `others` are the tools that a model could choose instead; `min` is the least adjusted score, 0 to 1. */
export function lintTool(spec: ToolSpec, others: readonly ToolSpec[], min: number): LintedTool {
  const evaluation = evaluateTool(spec, others);
  const adjusted = adjustedScores(evaluation);
  return {
    ref: formatRef(spec),
    origin: spec.origin,
    scores: evaluation.scores,
    adjustedScores: adjusted,
    findings: evaluation.findings.map((finding) => Object.assign({ severity: severityOf(finding) }, finding)),
    tooLow: Object.entries(adjusted)
      .filter(([, score]) => score < min - ROUNDING)
      .map(([criterion]) => criterion),
  };
}

export function isFit({ tooLow, findings }: LintedTool): boolean {
  return tooLow.length === 0 && !findings.some(({ severity }) => severity === 'error');
}

/** The scores on one line, then one finding a line. */
export function toLines(tool: LintedTool, min: number): string[] {
  const scores = Object.entries(tool.adjustedScores).map(([criterion, adjusted]) => {
    const plain = tool.scores[criterion as keyof Scores];
    const formula = Math.abs(adjusted - plain) < ROUNDING ? '' : ` (formula ${plain.toFixed(2)})`;
    return `${criterion} ${adjusted.toFixed(2)}${formula}`;
  });
  return [
    `${tool.ref} · ${tool.origin}`,
    `  ${scores.join(' · ')}`,
    ...tool.tooLow.map((criterion) => `  error: ${criterion} is below ${min.toFixed(2)}.`),
    ...tool.findings.map(
      ({ severity, rule, path, message }) =>
        `  ${severity}: ${rule}${path === undefined ? '' : ` ${path}`}: ${message}`,
    ),
  ];
}

/** The same as one member of a JSON document. */
export function toMember(tool: LintedTool): object {
  const { ref, origin, scores, findings, tooLow } = tool;
  return {
    ref,
    origin,
    ok: isFit(tool),
    scores,
    adjusted_scores: tool.adjustedScores,
    too_low: tooLow,
    findings,
  };
}
