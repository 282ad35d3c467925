import type { JsonObject, JsonValue } from '../core/json.ts';
import { typesOf } from './describe-shape.ts';
import { ownFinding, type Finding } from './finding.ts';
import { childPointer } from './json-pointer.ts';
import { flattenSchema, member, schemaMap, type Schema } from './read-schema.ts';
import { parameterNames, type ScoredTool } from './score-description.ts';

/** What the schema of each parameter leaves open, or says and the text does not. */
export function parameterFindings(tool: ScoredTool, description: string): Finding[] {
  const schema = tool.inputSchema;
  if (schema === undefined) return [];
  return schemaMap(flattenSchema(schema, schema)['properties'])
    .slice(0, 500)
    .flatMap(([name, inner]) => oneParameter({ name, inner, root: schema, description }));
}

interface Parameter {
  readonly name: string;
  readonly inner: Schema;
  readonly root: Schema;
  readonly description: string;
}

function oneParameter({ name, inner, root, description }: Parameter): Finding[] {
  const flat = flattenSchema(inner, root);
  const path = childPointer('', name);
  const findings: Finding[] = [];
  if (typeof flat['description'] !== 'string' || flat['description'].trim() === '') {
    findings.push(
      ownFinding('no_parameter_description', `The parameter "${name}" has no description.`, { path }),
    );
  }
  if (isUnlimited(flat))
    findings.push(
      ownFinding('no_limit', `The parameter "${name}" has no limit: state the largest value that works.`, {
        path,
      }),
    );
  const unsaid = statedLimits(flat).filter((limit) => !mentions(description, limit));
  if (unsaid.length > 0) {
    findings.push(
      ownFinding(
        'limit_not_stated',
        `The schema limits "${name}" to ${unsaid.join(' and ')}; the text does not say so.`,
        { path },
      ),
    );
  }
  return findings;
}

/** A limit told in words binds the tool, where the schema lets more pass: "cut after 160 characters". */
const LIMIT_IN_WORDS = /\b(?:at most|up to|cut after|no more than|no longer than|maximum)\b[^.]*\d/iu;

/** Text and lists that may be of any size. A number without bounds is often meant so. */
function isUnlimited(flat: JsonObject): boolean {
  const types = typesOf(flat);
  if (flat['enum'] !== undefined || flat['const'] !== undefined) return false;
  if (LIMIT_IN_WORDS.test(typeof flat['description'] === 'string' ? flat['description'] : '')) return false;
  const text =
    types.includes('string') && !['maxLength', 'pattern', 'format'].some((key) => flat[key] !== undefined);
  return text || (types.includes('array') && flat['maxItems'] === undefined);
}

function statedLimits(flat: JsonObject): number[] {
  const limits = ['maxLength', 'maxItems', 'minimum', 'maximum'].map((key) => member(flat, key));
  return limits.filter((limit: JsonValue | undefined): limit is number => typeof limit === 'number');
}

function mentions(description: string, limit: number): boolean {
  return description.includes(String(limit)) || description.includes(limit.toLocaleString('en'));
}

const KNOWN_SHORT = new Set(
  'id ids to cc bcc x y z lat lon lng url uri csv pdf png svg xml html css sql json yaml md tz ip os ui db kg km cm mm px pt as by of on in at max min sum avg hex rgb cvv iban vat dns ssh tls http https utc gmt'.split(
    ' ',
  ),
);

/** Names that say nothing: too short, without vowels, or a placeholder. */
export function nameFindings(tool: ScoredTool): Finding[] {
  const parameters = parameterNames(tool);
  const cryptic = [tool.name, ...parameters].filter(isCryptic);
  const camel = parameters.filter((name) => /[a-z][A-Z]/u.test(name));
  const snake = parameters.filter((name) => /[a-z]_[a-z]/u.test(name));
  return [
    ...cryptic
      .slice(0, 100)
      .map((name) => ownFinding('cryptic_name', `"${name}" does not say what it is: spell it out.`)),
    ...(camel.length > 0 && snake.length > 0
      ? [
          ownFinding(
            'mixed_parameter_names',
            `The parameters mix two styles: "${camel[0] ?? ''}" and "${snake[0] ?? ''}".`,
          ),
        ]
      : []),
    ...(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/u.test(tool.name)
      ? []
      : [ownFinding('name_style', `"${tool.name}" is not of the form verb_noun in lower case.`)]),
  ];
}

function isCryptic(name: string): boolean {
  const words = name
    .toLowerCase()
    .split(/[_-]|(?<=[a-z])(?=\d)/u)
    .filter((word) => word !== '');
  if (/^(?:args?|params?|val|value|var|tmp|temp|foo|bar|baz|data|obj|misc)\d+$/iu.test(name)) return true;
  return words.some(
    (word) =>
      !KNOWN_SHORT.has(word) && /^[a-z]+$/u.test(word) && (word.length < 3 || !/[aeiouy]/u.test(word)),
  );
}
