import { type Static, Type } from 'typebox';

import { NAME_PATTERN } from '../core/ref.ts';
import { LIMIT_RULES } from './policy-limits.ts';

const CLOSED = { additionalProperties: false };

/** `description` says what belongs there; faults are worded with it. */
const Entry = (description: string) => Type.String({ minLength: 1, maxLength: 256, description });
const Entries = (description: string) =>
  Type.Array(Entry(description), { description: `a list, each item ${description}; [] is none` });

const ApproveSchema = Entries('a ref such as create_pdf@1, or local');
const NameSchema = Type.String({
  pattern: NAME_PATTERN,
  description: 'a name of 1 to 64 ASCII letters, digits, _ and -, starting with a letter or digit',
});

const ProfileSchema = Type.Object(
  {
    tools: Type.Optional(Entries('the name or ref of a tool')),
    skills: Type.Optional(Entries('the name of a methodology skill')),
  },
  { ...CLOSED, description: 'a profile with tools, skills or both' },
);

const WholeNumber = (maximum: number) =>
  Type.Integer({ minimum: 1, maximum, description: `a whole number from 1 to ${maximum}` });

const RateLimitSchema = Type.Object(
  { requests: WholeNumber(1_000_000), window_seconds: WholeNumber(86_400) },
  { ...CLOSED, description: 'a rate with requests and window_seconds' },
);

const CallerSchema = Type.Object(
  {
    name: NameSchema,
    key_sha256: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'the SHA-256 of the key as 64 lower-case hexadecimal digits, never the key itself',
    }),
    roles: Type.Array(Type.String({ pattern: '^(?:runner|operator)$', description: 'runner or operator' }), {
      minItems: 1,
      uniqueItems: true,
      description: 'a list of roles: runner, operator or both, each once',
    }),
    profile: Type.Optional(NameSchema),
    approve: Type.Optional(ApproveSchema),
    rate_limit: Type.Optional(RateLimitSchema),
    expires: Type.Optional(
      Type.String({
        pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?(?:Z|[+-]\\d\\d:\\d\\d)$',
        description: 'a date and time with its zone, such as 2031-12-31T23:59:59Z',
      }),
    ),
  },
  { ...CLOSED, description: 'a caller with name, key_sha256 and roles' },
);

/** What the operator gives one package besides its place in `approve`. */
const PackageSchema = Type.Object(
  {
    hosts: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^(?!-)[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63})*(?::\\d{1,5})?$',
          description: 'a host such as api.example.org, in lower case',
        }),
        { maxItems: 100, uniqueItems: true, description: 'a list of hosts' },
      ),
    ),
    env: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^[A-Z][A-Z0-9_]{0,63}$',
          description: 'the name of an environment variable of this service, such as WEATHER_TOKEN',
        }),
        { maxItems: 100, uniqueItems: true, description: 'a list of variable names' },
      ),
    ),
  },
  { ...CLOSED, description: 'a package with hosts, env or both' },
);

const IsolationSchema = Type.Object(
  { minimum: Type.String({ pattern: '^(?:namespaces|limits)$', description: 'namespaces or limits' }) },
  { ...CLOSED, description: 'isolation with minimum' },
);

const LimitsSchema = Type.Object(
  Object.fromEntries(
    Object.entries(LIMIT_RULES).map(([key, { ceiling }]) => [
      key,
      Type.Optional(
        Type.Integer({ minimum: 1, maximum: ceiling, description: `a whole number from 1 to ${ceiling}` }),
      ),
    ]),
  ),
  { ...CLOSED, description: 'limits, each key with a whole number' },
);

/** The policy file as it is written. */
export const PolicyDocumentSchema = Type.Object(
  {
    approve: Type.Optional(ApproveSchema),
    limits: Type.Optional(LimitsSchema),
    default_profile: Type.Optional(NameSchema),
    profiles: Type.Optional(
      Type.Record(Type.String({ pattern: NAME_PATTERN }), ProfileSchema, {
        ...CLOSED,
        description: 'profiles, each under its name',
      }),
    ),
    packages: Type.Optional(
      Type.Record(Type.String({ pattern: NAME_PATTERN }), PackageSchema, {
        ...CLOSED,
        description: 'packages, each under its name',
      }),
    ),
    isolation: Type.Optional(IsolationSchema),
    callers: Type.Optional(Type.Array(CallerSchema, { description: 'a list of callers' })),
  },
  { ...CLOSED, description: 'keys with values, such as approve: [local]' },
);

export type PolicyDocument = Static<typeof PolicyDocumentSchema>;
