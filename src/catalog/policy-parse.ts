import { BootError, type BootFault } from '../core/boot-error.ts';
import { isJsonObject } from '../core/json.ts';
import { quote } from '../core/quote.ts';
import { findSchemaFaults } from './policy-faults.ts';
import { settleLimits } from './policy-limits.ts';
import { policyRevision } from './policy-revision.ts';
import { findRepeats, findRuleFaults } from './policy-rules.ts';
import type { PolicyDocument } from './policy-schema.ts';
import { type PolicyYaml, readPolicyYaml } from './policy-yaml.ts';
import type { Policy, PolicyCaller, PolicyEntry, PolicyPlace, PolicyProfile } from './policy.ts';

/** The policy as far as it could be read, for finding more faults with it; it may be used only when there are none. */
export interface PolicyReading {
  readonly policy: Policy;
  readonly faults: readonly BootFault[];
}

export interface PolicyText {
  readonly text: string;
  /** The path, for messages. */
  readonly source: string;
  /** BROKER_APPROVE: these entries stand in for `approve`. */
  readonly approve?: readonly string[];
}

const MAX_FAULTS = 200;

/** A longer policy is not read. */
export const MAX_POLICY_BYTES = 1024 * 1024;

const OVERRIDE: PolicyPlace = { source: 'BROKER_APPROVE' };

/** The policy, complete and valid, or a BootError with every fault. An empty text approves nothing. */
export function parsePolicy(text: string, source: string): Policy {
  const { policy, faults } = checkPolicy({ text, source });
  if (faults.length > 0) throw new BootError(faults);
  return policy;
}

/** Never throws. A section with a fault is left out of the policy that comes back; so is everything when the YAML is broken. */
export function checkPolicy(input: PolicyText): PolicyReading {
  const sizeBytes = Buffer.byteLength(input.text);
  if (sizeBytes > MAX_POLICY_BYTES) return refuseSize(input, sizeBytes);
  const yaml = readPolicyYaml(input.text, input.source);
  const found = findSchemaFaults(yaml);
  const broken = new Set(found.map(({ pointer }) => pointer.split('/')[1] ?? ''));
  const document = keepSound(yaml.value, broken);
  const spoken = new Set(yaml.faults.map(placeKey));
  const faults = [
    ...yaml.faults,
    ...found.map(({ fault }) => fault).filter((fault) => !spoken.has(placeKey(fault))),
    ...findRuleFaults(document, yaml.placeOf, broken),
    ...findRepeats(input.approve ?? [], () => OVERRIDE, quote),
  ];
  return { policy: toPolicy(document, yaml, input), faults: capFaults(faults, input.source) };
}

function placeKey({ line, column }: BootFault): string {
  return `${line}:${column}`;
}

function refuseSize(input: PolicyText, sizeBytes: number): PolicyReading {
  const { policy } = checkPolicy({ ...input, text: '' });
  return { policy, faults: [tooLarge(input.source, sizeBytes)] };
}

export function tooLarge(source: string, sizeBytes: number): BootFault {
  const message = `The policy has ${sizeBytes} bytes; at most ${MAX_POLICY_BYTES} are read.`;
  return { source, line: 1, column: 1, message, remedy: 'Make it shorter.' };
}

function keepSound(value: unknown, broken: ReadonlySet<string>): PolicyDocument {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([key]) => !broken.has(key))) as PolicyDocument;
}

function toPolicy(document: PolicyDocument, yaml: PolicyYaml, input: PolicyText): Policy {
  const { approve, ...rest } = document;
  const inForce = { ...rest, approve: [...(input.approve ?? approve ?? [])] };
  return {
    source: input.source,
    approve:
      input.approve?.map((text) => ({ text, place: OVERRIDE })) ?? toEntries(yaml, '/approve', approve ?? []),
    limits: settleLimits(document.limits ?? {}),
    ...(document.default_profile === undefined ? {} : { defaultProfile: document.default_profile }),
    profiles: new Map(
      Object.entries(document.profiles ?? {}).map(([name, profile]) => [
        name,
        toProfile(yaml, name, profile),
      ]),
    ),
    packages: new Map(
      Object.entries(document.packages ?? {}).map(([name, { hosts = [], env = [] }]) => [
        name,
        { hosts, env, place: yaml.placeOf(`/packages/${name}`) },
      ]),
    ),
    minimumIsolation: document.isolation?.minimum === 'limits' ? 'limits' : 'namespaces',
    callers: (document.callers ?? []).map((caller, index) => toCaller(yaml, index, caller)),
    revision: policyRevision(inForce),
    placeOf: (pointer) =>
      input.approve !== undefined && pointer === '/approve' ? OVERRIDE : yaml.placeOf(pointer, 'key'),
  };
}

type Written<Section extends 'profiles' | 'callers'> = NonNullable<PolicyDocument[Section]>;

function toProfile(yaml: PolicyYaml, name: string, written: Written<'profiles'>[string]): PolicyProfile {
  const { tools, skills } = written;
  return {
    name,
    ...(tools && { tools: toEntries(yaml, `/profiles/${name}/tools`, tools) }),
    ...(skills && { skills: toEntries(yaml, `/profiles/${name}/skills`, skills) }),
  };
}

function toCaller(yaml: PolicyYaml, index: number, written: Written<'callers'>[number]): PolicyCaller {
  const { name, key_sha256: keySha256, roles, profile, approve, expires, rate_limit: rate } = written;
  return {
    name,
    keySha256,
    roles: roles as PolicyCaller['roles'],
    ...(profile === undefined ? {} : { profile }),
    ...(rate && { rateLimit: { requests: rate.requests, windowSeconds: rate.window_seconds } }),
    ...(approve && { approve: toEntries(yaml, `/callers/${index}/approve`, approve) }),
    ...(expires === undefined ? {} : { expiresAt: new Date(expires) }),
  };
}

function toEntries(yaml: PolicyYaml, pointer: string, texts: readonly string[]): PolicyEntry[] {
  return texts.map((text, index) => ({ text, place: yaml.placeOf(`${pointer}/${index}`) }));
}

function capFaults(faults: readonly BootFault[], source: string): readonly BootFault[] {
  if (faults.length <= MAX_FAULTS) return faults;
  const message = `There are ${faults.length - MAX_FAULTS} more faults like these.`;
  return [
    ...faults.slice(0, MAX_FAULTS),
    { source, line: 1, column: 1, message, remedy: 'Correct these first.' },
  ];
}
