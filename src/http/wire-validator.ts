import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

import { BrokerError, type Fault } from '../core/broker-error.ts';
import { quote } from '../core/quote.ts';
import { locateValue } from './locate-value.ts';
import { withoutUnknown, type MemberSplit, type SchemaNode, type UnknownMember } from './unknown-members.ts';

interface WireError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly params: object;
  readonly message: string;
}

interface Source {
  readonly schema: SchemaNode;
  /** As Fastify calls it. */
  readonly part: string;
}

const NOUNS: Readonly<Record<string, string>> = {
  querystring: 'query parameter',
  params: 'path parameter',
  body: 'body member',
};

/**
 * Checks a part of a request against its wire schema and changes nothing in it: no coercion, no defaults, no removal.
 * A body that is absent is left to the route. Faults come out as INVALID_INPUT.
 */
export const wireValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  // A body that is raw bytes is read by its route.
  if (httpPart === 'body' && 'format' in schema && schema.format === 'binary') return () => true;
  const compiled = Compile(schema);
  const node: SchemaNode = { ...schema };
  return (value: unknown) => {
    if (compiled.Check(value) || (httpPart === 'body' && value === null)) return true;
    const source = { schema: node, part: httpPart ?? 'body' };
    const split: MemberSplit = { unknown: [], unknownCount: 0 };
    const known = withoutUnknown({ schema: node, value, at: '' }, split);
    const faults = [
      ...split.unknown.map(explainUnknown),
      ...compiled.Errors(known).flatMap((error) => explain(error, known, source)),
    ];
    return { error: describeFaults(faults, split, source) };
  };
};

function describeFaults(faults: readonly Fault[], split: MemberSplit, { part }: Source): BrokerError {
  const noun = NOUNS[part] ?? part;
  const details = [...new Map(faults.map((fault) => [`${fault.path} ${fault.message}`, fault])).values()];
  const [first] = details.map(({ path, message }) => `${noun} ${path.slice(1)} ${message}`);
  const isCut = split.unknownCount > split.unknown.length;
  const total = isCut
    ? ` ${split.unknownCount} are not known; the first ${split.unknown.length} are listed.`
    : '';
  return new BrokerError('INVALID_INPUT', `${first ?? `The ${part} is not valid`}.${total}`, { details });
}

function explainUnknown({ at, name, known }: UnknownMember): Fault {
  const expected = known.length === 0 ? 'none is taken here' : `known: ${known.join(', ')}`;
  return { path: `${at}/${shorten(name)}`, message: `is not known; ${expected}` };
}

/** No fault where the validator tells of an alternative that is not the one meant. */
function explain(
  { keyword, instancePath, schemaPath, params }: WireError,
  value: unknown,
  source: Source,
): Fault[] {
  const place = locateValue(source.schema, value, instancePath);
  if (place === undefined || place.schemaPath !== schemaPath || keyword === 'additionalProperties') return [];
  if (keyword === 'required') {
    const { requiredProperties = [] } = params as { requiredProperties?: string[] };
    return requiredProperties.map((name) => ({ path: `${instancePath}/${name}`, message: 'is required' }));
  }
  const received = place.value;
  const message =
    source.part === 'querystring' && Array.isArray(received)
      ? `is given ${received.length} times; give it once`
      : explainValue(place.schema, received);
  return [{ path: instancePath, message }];
}

function explainValue(schema: SchemaNode, received: unknown): string {
  return `must be ${expectationOf(schema)}; received ${quote(received)}`;
}

function expectationOf(schema: SchemaNode): string {
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].join(', ')}`;
  if (typeof schema['pattern'] === 'string') {
    const { description } = schema as { description?: string };
    return `as described: ${description ?? schema['pattern']}`;
  }
  return `of type ${[schema['type']].flat().join(' or ')}`;
}

function shorten(name: string): string {
  return quote(name).slice(1, -1);
}
