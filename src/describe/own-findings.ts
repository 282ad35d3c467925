import { describeConcealed, findConcealed } from '../core/concealed.ts';
import { isJsonObject } from '../core/json.ts';
import type { ToolSpec } from '../core/tool.ts';
import { ownFinding, type Finding } from './finding.ts';
import { nameFindings, parameterFindings } from './parameter-findings.ts';
import { parameterNames, type ScoredTool, type Terms } from './score-description.ts';

export interface OtherTool {
  readonly name: string;
  readonly description: string;
}

export interface Subject {
  readonly description: string;
  readonly tool: ScoredTool & Partial<Pick<ToolSpec, 'examples' | 'description'>>;
  readonly terms: Terms;
  readonly others: readonly OtherTool[];
}

/** What the five formulas do not see, each under a rule of its own. Notes, not verdicts: nothing is refused for them. */
export function findOwn(subject: Subject): Finding[] {
  return [
    ...falseAlarms(subject),
    ...falseMixture(subject),
    ...ceiling(subject),
    ...usage(subject),
    ...parameterFindings(subject.tool, subject.description),
    ...nameFindings(subject.tool),
    ...examples(subject),
    ...overlaps(subject),
    ...concealed(subject),
  ];
}

const WORD_FORMS: Readonly<Record<string, RegExp>> = {
  help: /\bhelp(?:s|ed|ing|ful|fully)?\b/iu,
  assist: /\bassist(?:s|ed|ing|ance)?\b/iu,
  thing: /\bthings?\b/iu,
  stuff: /\bstuff\b/iu,
  handle: /\bhandl(?:e|es|ed|ing)\b/iu,
};

/** "something" costs as much as "thing": the term stands inside another word. */
function falseAlarms({ description, terms }: Subject): Finding[] {
  const wrong = terms.vague.filter((term) => WORD_FORMS[term]?.test(description) === false);
  if (wrong.length === 0) return [];
  const to = Math.max(0, 1 - (terms.vague.length - wrong.length) * 0.1 - terms.ambiguous.length * 0.05);
  const words = wrong.map((term) => `"${term}" in "${wordAround(description, term)}"`).join(', ');
  return [
    ownFinding(
      'false_alarm',
      `clarity counts ${words}, which is another word; without it clarity is ${to.toFixed(2)}.`,
      { adjusts: { criterion: 'clarity', to } },
    ),
  ];
}

/** A word of two small letters or more, and then another: `customerId`, `userID`; not `degC`, `iCalendar`, `JavaScript`. */
const CAMEL_CASE = /(?<![\w-])[a-z][a-z0-9]+(?:[A-Z][a-z]|[A-Z]{2})\w*/u;

/** A capital after a small letter is no camelCase in "JavaScript", nor in the escapes of an example ("\\nKind"). */
function falseMixture({ description, terms }: Subject): Finding[] {
  if (!terms.mixedNaming) return [];
  const words = description.replaceAll(/\\(?:u[0-9a-fA-F]{4}|.)/gu, ' ');
  if (CAMEL_CASE.test(words)) return [];
  return [
    ownFinding(
      'false_alarm',
      'consistency takes a capital inside a word, or an escape in an example, for camelCase; no name here is.',
      {
        adjusts: { criterion: 'consistency', to: 1 },
      },
    ),
  ];
}

function wordAround(description: string, term: string): string {
  const at = description.toLowerCase().indexOf(term);
  const before = /[\p{L}\p{N}_]*$/u.exec(description.slice(0, at))?.[0] ?? '';
  const after = /^[\p{L}\p{N}_]*/u.exec(description.slice(at))?.[0] ?? '';
  return before + after;
}

const SAYS_WHEN = /\buse (?:this |it )?when\b|\bcall (?:this |it )?when\b|### When to Use\n- /iu;

/** The fixed document says "When to Use" and "Parameters" where the formula looks for "Use when" and "Args" as well. */
function ceiling({ description, terms }: Subject): Finding[] {
  if (!terms.missingSignals.some((signal) => signal === 'Use when' || signal === 'Args')) return [];
  const signs = [
    SAYS_WHEN.test(description),
    !terms.missingSignals.includes('Returns'),
    !terms.missingSignals.includes('Errors'),
    !(terms.missingSignals.includes('Parameters') && terms.missingSignals.includes('Args')),
  ];
  const to = signs.filter(Boolean).length / signs.length;
  const score = (5 - terms.missingSignals.length) / 5;
  if (to <= score) return [];
  return [
    ownFinding(
      'ceiling',
      `actionability looks for the words "Use when" and "Args"; by what the text says (when to use, parameters, returns, errors) it is ${to.toFixed(2)}.`,
      {
        adjusts: { criterion: 'actionability', to },
      },
    ),
  ];
}

function usage({ description }: Subject): Finding[] {
  return SAYS_WHEN.test(description)
    ? []
    : [
        ownFinding(
          'no_usage',
          'The text does not say when to use the tool: add a trigger, or a sentence with "Use when".',
        ),
      ];
}

function examples({ description, tool }: Subject): Finding[] {
  const inSchema = isJsonObject(tool.inputSchema) && JSON.stringify(tool.inputSchema).includes('"examples":');
  if ((tool.examples ?? []).length > 0 || inSchema || /\be\.g\.|\bexample/iu.test(description)) return [];
  return [ownFinding('no_example', 'There is no example of a call.')];
}

const MAX_OVERLAP = 0.6;

/** Consolidation (seed 3): if a person cannot say which of two tools to use, a model cannot. */
function overlaps({ description, others, tool }: Subject): Finding[] {
  const words = wordsOf(tool.description ?? description);
  return others
    .filter((other) => other.name !== tool.name)
    .map((other) => ({ name: other.name, share: overlap(words, wordsOf(other.description)) }))
    .filter((other) => other.share >= MAX_OVERLAP)
    .map((other) =>
      ownFinding(
        'overlap',
        `${Math.round(other.share * 100)} % of its words are those of "${other.name}": say which to use when.`,
      ),
    );
}

const COMMON = new Set(
  'a an and are as at be by for from if in into is it its no not of on one or that the their then this to use was when which with'.split(
    ' ',
  ),
);

function wordsOf(text: string): Set<string> {
  const words =
    text
      .slice(0, 20_000)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)));
}

/** Shared words over all words of both (Jaccard). */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}

function concealed({ description, tool }: Subject): Finding[] {
  const places: [string, string][] = [
    ['the text', description],
    ['the name', tool.name],
    ...parameterNames(tool).map((name): [string, string] => ['a parameter name', name]),
  ];
  return places
    .map(([place, text]) => ({ place, runs: findConcealed(text) }))
    .filter(({ runs }) => runs.length > 0)
    .map(({ place, runs }) =>
      ownFinding('concealed', `A reader cannot see what stands in ${place}: ${describeConcealed(runs)}.`),
    );
}
