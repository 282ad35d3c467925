import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { compose, type Service } from '../../src/compose.ts';
import { createLog } from '../../src/compose/create-log.ts';
import { checkConfig } from '../../src/config.ts';
import { createApiKey } from '../../src/core/api-key.ts';
import { ask, type Ask } from '../support/ask.ts';

const REQUESTS = 10_000;
const APPROVED = 'local,status_update@1,incident_report@1,meeting_minutes@1,action_list@1';
const operatorKey = createApiKey();
let service: Service;
/** What may be called without a credential. */
let callable: readonly string[];

beforeAll(async () => {
  service = await compose(checkConfig({ BROKER_APPROVE: APPROVED }, { dotEnvPath: '' }), {
    log: createLog({ logLevel: 'silent', auditSync: false }),
    version: '0.0.0-test',
    operatorKey,
  });
  const { tools } = (await ask(service.server, 'GET /v1/tools')).json() as { tools: { ref: string }[] };
  callable = tools.map(({ ref }) => ref).toSorted();
});
afterAll(() => service.close());

interface Sent extends Ask {
  readonly line: string;
}

const strings = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);
const values = fc.oneof({ weight: 3, arbitrary: strings }, fc.jsonValue({ maxDepth: 2 }));
const ascii = fc.stringMatching(/^[ -~]{0,30}$/u);

/** Other text in place of a part of the text, now and then. */
const scratch = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(text.length), fc.nat(3), fc.string({ unit: 'grapheme', maxLength: 8 }))
    .map(([at, length, inserted]) => text.slice(0, at) + inserted + text.slice(at + length));

/** An own member, whatever its name. */
function withMember(
  base: Readonly<Record<string, unknown>>,
  key: string,
  value: unknown,
): Record<string, unknown> {
  return Object.fromEntries([...Object.entries(base), [key, value]]);
}

/** One argument of a valid call changed, taken away or added; half of the time only its text, so that the call runs. */
function mutate(example: Readonly<Record<string, unknown>>): fc.Arbitrary<Record<string, unknown>> {
  const keys = Object.keys(example);
  const changed = fc.constantFrom(...keys).chain((key) => {
    const value = example[key];
    const other =
      typeof value === 'string' ? fc.oneof({ weight: 8, arbitrary: scratch(value) }, values) : values;
    return other.map((replaced) => withMember(example, key, replaced));
  });
  const reduced = fc
    .constantFrom(...keys)
    .map((gone) => Object.fromEntries(Object.entries(example).filter(([key]) => key !== gone)));
  const grown = fc.tuple(strings, values).map(([key, value]) => withMember(example, key, value));
  return fc.oneof(
    { weight: 6, arbitrary: changed },
    { weight: 4, arbitrary: fc.constant({ ...example }) },
    reduced,
    grown,
  );
}

function anyRequest(): fc.Arbitrary<Sent> {
  const known = service.catalog.known.filter(({ entry }) => callable.includes(entry.ref));
  const calls = known.flatMap(({ entry }) =>
    (entry.spec.examples ?? []).map((example) => ({ ref: entry.ref, args: example.arguments })),
  );
  const accept = fc.oneof(
    { weight: 5, arbitrary: fc.constant('*/*') },
    fc.constantFrom('application/json', 'application/pdf', 'text/plain', 'x'),
  );
  const call = fc
    .tuple(fc.constantFrom(...calls), accept, fc.boolean())
    .chain(([{ ref, args }, accepted, asText]) =>
      mutate(args).map((given) => ({
        line: `POST /v1/tools/${ref}/invoke`,
        body: { arguments: asText ? JSON.stringify(given) : given },
        headers: { accept: accepted },
      })),
    );
  const path = fc.oneof(
    fc.constantFrom(
      '/v1/tools',
      '/v1/tools/create_pdf',
      '/v1/artifacts',
      '/v1/artifacts/x',
      '/v1/admin/catalog',
      '/healthz',
      '/readyz',
      '/openapi.json',
      '/docs',
    ),
    strings.map((text) => `/v1/tools/${encodeURIComponent(Buffer.from(text).toString())}`),
    strings.map((text) => `/v1/artifacts?name=${encodeURIComponent(Buffer.from(text).toString())}`),
    ascii
      .map((text) => `/${text.replaceAll(' ', '+')}`)
      .filter((text) => URL.canParse(text, 'http://localhost')),
  );
  const method = fc.constantFrom('GET', 'GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS');
  const headers = fc.dictionary(
    fc.constantFrom(
      'accept',
      'content-type',
      'range',
      'if-none-match',
      'if-range',
      'origin',
      'expect',
      'authorization',
      'content-encoding',
    ),
    fc.oneof(
      ascii,
      fc.constantFrom('application/json', 'bytes=0-1', '*', `Bearer ${operatorKey}`, 'text/markdown'),
    ),
    { maxKeys: 3 },
  );
  const other = fc
    .tuple(method, path, headers, fc.option(strings, { nil: undefined }))
    .map(([verb, url, given, body]): Sent => {
      const sent = { line: `${verb} ${url}`, headers: given };
      return body === undefined ? sent : Object.assign(sent, { body });
    });
  const raw = fc.tuple(fc.constantFrom(...calls), fc.nat(3)).chain(([{ ref, args }, times]) => {
    let text: fc.Arbitrary<string> = fc.constant(JSON.stringify({ arguments: args }));
    for (let count = 0; count <= times; count += 1) text = text.chain(scratch);
    return text.map((body) => ({
      line: `POST /v1/tools/${ref}/invoke`,
      body,
      headers: { 'content-type': 'application/json' },
    }));
  });
  return fc.oneof(
    { weight: 7, arbitrary: call },
    { weight: 2, arbitrary: other },
    { weight: 1, arbitrary: raw },
  );
}

describe('whatever is sent', () => {
  it(
    `[S1.3-13] is answered in our shape, and ${REQUESTS} requests find nothing INTERNAL`,
    { timeout: 600_000 },
    async () => {
      const ran = new Map<string, number>();
      await fc.assert(
        fc.asyncProperty(anyRequest(), async ({ line, ...sent }) => {
          const answer = await ask(service.server, line, sent);
          const isJson =
            (answer.headers['content-type'] ?? '').startsWith('application/json') && answer.text !== '';
          const body = isJson ? answer.json() : {};
          expect(['OVERLOADED', 'TOOL_BROKEN', undefined]).toContain(
            answer.status >= 500 ? body['error'] : undefined,
          );
          expect(
            answer.status < 400 || line.startsWith('HEAD') || body['ok'] === false || answer.status === 422,
          ).toBe(true);
          const ref = /^POST \/v1\/tools\/([^/]+)\/invoke$/u.exec(line)?.[1];
          if (ref !== undefined && (answer.status === 200 || answer.status === 422))
            ran.set(ref, (ran.get(ref) ?? 0) + 1);
        }),
        { numRuns: REQUESTS },
      );
      expect([...ran.keys()].toSorted()).toEqual(callable);
      expect([...ran.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(REQUESTS * 0.3);
    },
  );
});
