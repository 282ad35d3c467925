import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

import { BrokerError, type Fault } from '../core/broker-error.ts';
import { isJsonObject } from '../core/json.ts';
import { quote } from '../core/quote.ts';

interface WireError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

interface Source {
  readonly schema: TSchema;
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
  return (value: unknown) => {
    if (compiled.Check(value) || (httpPart === 'body' && value === null)) return true;
    return { error: describeFaults(compiled.Errors(value), value, { schema, part: httpPart ?? 'body' }) };
  };
};

function describeFaults(errors: readonly WireError[], value: unknown, source: Source): BrokerError {
  const noun = NOUNS[source.part] ?? source.part;
  const all = errors.flatMap((error) => explain(error, value, source));
  const details = [...new Map(all.map((fault) => [`${fault.path} ${fault.message}`, fault])).values()];
  const sentences = details.map(({ path, message }) => `${noun} ${path.slice(1)} ${message}`);
  return new BrokerError('INVALID_INPUT', `${sentences[0] ?? `The ${source.part} is not valid`}.`, {
    details,
  });
}

function explain(error: WireError, value: unknown, { schema, part }: Source): Fault[] {
  const names = (key: string): string[] =>
    ((error.params as Record<string, unknown>)[key] as string[] | undefined) ?? [];
  switch (error.keyword) {
    case 'required':
      return names('requiredProperties').map((name) => ({ path: `/${name}`, message: 'is required' }));
    case 'additionalProperties': {
      const known = Object.keys(propertiesOf(schema));
      const expected = known.length === 0 ? 'none is taken here' : `known: ${known.join(', ')}`;
      return names('additionalProperties').map((name) => ({
        path: `/${shorten(name)}`,
        message: `is not known; ${expected}`,
      }));
    }
    case 'boolean':
      return [];
    default: {
      const name = error.instancePath.slice(1);
      const received = readMember(value, name);
      const message =
        part === 'querystring' && Array.isArray(received)
          ? `is given ${received.length} times; give it once`
          : explainValue(propertiesOf(schema)[name], received);
      return [{ path: error.instancePath, message }];
    }
  }
}

function explainValue(schema: unknown, received: unknown): string {
  const expected = isJsonObject(schema) ? expectationOf(schema) : 'something else';
  return `must be ${expected}; received ${quote(received)}`;
}

function expectationOf(schema: Record<string, unknown>): string {
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].join(', ')}`;
  if (typeof schema['pattern'] === 'string') {
    const { description } = schema as { description?: string };
    return `as described: ${description ?? schema['pattern']}`;
  }
  return `of type ${[schema['type']].flat().join(' or ')}`;
}

function propertiesOf(schema: TSchema): Record<string, unknown> {
  return ('properties' in schema ? schema.properties : {}) as Record<string, unknown>;
}

function readMember(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function shorten(name: string): string {
  return quote(name).slice(1, -1);
}
