import type { ToolSpec } from '../core/tool.ts';
import type { Finding } from './finding.ts';
import { findOwn, type OtherTool } from './own-findings.ts';
import { renderUnfenced } from './render-description.ts';
import { findTerms, scoreTerms, type ScoredTool, type Scores, type Terms } from './score-description.ts';

export interface Evaluation {
  readonly scores: Scores;
  readonly findings: readonly Finding[];
}

/**
 * Seed 3's five scores of a description, the terms that they come from, and our own findings beside them: where the
 * formulas are wrong (a vague term inside another word, the 0.60 ceiling of the fixed document) and what they do not look at.
 * `others` are the other tools that a model could choose instead.
 */
export function evaluateDescription(
  description: string,
  tool: ScoredTool & Partial<Pick<ToolSpec, 'examples' | 'description'>>,
  others: readonly OtherTool[] = [],
): Evaluation {
  const terms = findTerms(description, tool);
  const scores = scoreTerms(terms, description, tool);
  return {
    scores,
    findings: [...termFindings(terms, description, tool), ...findOwn({ description, tool, terms, others })],
  };
}

/** The same for a tool as its description document is rendered, without the fences of third-party texts. */
export function evaluateTool(spec: ToolSpec, others: readonly OtherTool[] = []): Evaluation {
  return evaluateDescription(
    renderUnfenced(spec),
    spec,
    others.filter((other) => other.name !== spec.name),
  );
}

/** The scores with every known error of the formulas put right. What a gate should look at. */
export function adjustedScores(evaluation: Evaluation): Scores {
  const adjusted = evaluation.findings.flatMap((one) =>
    one.adjusts === undefined ? [] : [[one.adjusts.criterion, one.adjusts.to]],
  );
  return { ...evaluation.scores, ...(Object.fromEntries(adjusted) as Partial<Scores>) };
}

function termFindings(terms: Terms, description: string, tool: ScoredTool): Finding[] {
  const each = (rule: string, values: readonly string[], message: (value: string) => string): Finding[] =>
    values.map((value) => ({ set: 'score', rule, message: message(value) }));
  return [
    ...each('vague_term', terms.vague, (term) => `clarity -0.1: "${term}" occurs.`),
    ...each(
      'ambiguous_term',
      terms.ambiguous,
      (term) => `clarity -0.05: "${term}" occurs as a word of its own.`,
    ),
    ...each(
      'missing_section',
      terms.missingSections,
      (section) => `completeness -0.25: "${section}" is missing.`,
    ),
    ...(description.includes(tool.name)
      ? []
      : each('missing_name', [tool.name], (name) => `accuracy -0.3: the name "${name}" is missing.`)),
    ...each(
      'missing_name',
      terms.missingNames,
      (name) => `accuracy -0.15: the parameter "${name}" is missing.`,
    ),
    ...each(
      'missing_signal',
      terms.missingSignals,
      (signal) => `actionability -0.2: "${signal}" is missing.`,
    ),
    ...(terms.mixedNaming
      ? each('mixed_naming', [''], () => 'consistency 0.5: camelCase and snake_case both occur.')
      : []),
  ];
}
