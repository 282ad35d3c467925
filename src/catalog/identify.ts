import { timingSafeEqual } from 'node:crypto';

import { hashCredential } from '../core/api-key.ts';
import { BrokerError } from '../core/broker-error.ts';
import type { Caller } from '../core/caller.ts';
import type { Grant } from '../core/grant.ts';
import { EMPTY_SHELF, narrowShelf, type Shelf } from '../core/shelf.ts';
import type { Approval } from './approve.ts';
import type { Identity } from './identity.ts';
import { hasKeys } from './policy-access.ts';
import type { Policy, PolicyCaller } from './policy.ts';

export interface IdentifyParts {
  readonly policy: Policy;
  readonly approval: Approval;
  /** Per profile that names skills. */
  readonly shelves?: ReadonlyMap<string, Shelf>;
  /** Lower-case hex, of API_KEY or API_KEY_FILE. */
  readonly apiKeySha256?: string;
  /** Made for this start; counts only when no other key is configured. */
  readonly operatorKey?: string;
  /** The wall clock in milliseconds, for keys that expire. */
  readonly now?: () => number;
}

export interface Callers {
  /**
   * From the bearer credential (undefined: none was presented) to an identity.
   * Throws UNAUTHENTICATED when one is needed and missing, or presented and wrong, with the same work for each.
   */
  readonly identify: (bearer: string | undefined) => Identity;
  /** A caller that the policy knows and whose key has not expired, whether or not it was presented now. */
  readonly named: (name: string) => Identity | undefined;
  /** The same grant under a profile more. Undefined when there is no such profile. */
  readonly narrow: (grant: Grant, profile: string) => Grant | undefined;
}

interface Credential {
  readonly digest: Buffer;
  readonly identity: Identity;
  readonly expiresAtMs?: number;
}

const MISSING = 'This service needs an API key, and the request carries none.';
const WRONG = 'The credential that was presented is unknown or has expired.';

/** The one answer for every credential that was presented and is wrong. */
export function wrongCredential(): BrokerError {
  return new BrokerError('UNAUTHENTICATED', WRONG);
}

/**
 * Settles once, at boot, who may call and what each may do. With keys configured every call needs one; without, a
 * call without a credential is the anonymous runner. A credential that is presented must be right either way.
 */
export function createCallers(parts: IdentifyParts): Callers {
  const { now = Date.now } = parts;
  const anonymous = hasKeys(parts.policy, parts) ? undefined : toIdentity(ANONYMOUS, parts);
  const credentials = listCredentials(parts);
  const known: readonly Omit<Credential, 'digest'>[] = [
    ...credentials,
    ...(anonymous ? [{ identity: anonymous }] : []),
  ];
  const byName = new Map(known.map((credential) => [credential.identity.caller.name, credential]));
  const isOver = ({ expiresAtMs = Infinity }: Pick<Credential, 'expiresAtMs'>): boolean =>
    now() >= expiresAtMs;
  return {
    named: (name) => {
      const found = byName.get(name);
      return found === undefined || isOver(found) ? undefined : found.identity;
    },
    narrow: (grant, profile) => narrow(grant, profile, parts),
    identify: (bearer) => {
      if (bearer === undefined) {
        if (anonymous === undefined) throw new BrokerError('UNAUTHENTICATED', MISSING);
        return anonymous;
      }
      const credential = findCredential(credentials, bearer);
      if (credential === undefined || isOver(credential)) throw wrongCredential();
      return credential.identity;
    },
  };
}

const ANONYMOUS: Caller = { name: 'anonymous', roles: ['runner'] };
const DEFAULT: Caller = { name: 'default', roles: ['runner', 'operator'] };
const OPERATOR: Caller = { name: 'operator', roles: ['runner', 'operator'] };

function listCredentials(parts: IdentifyParts): Credential[] {
  const { policy, apiKeySha256, operatorKey } = parts;
  const credentials: Credential[] = policy.callers.map((caller) => ({
    digest: Buffer.from(caller.keySha256, 'hex'),
    identity: toIdentity(toCaller(caller), parts),
    ...(caller.expiresAt && { expiresAtMs: caller.expiresAt.getTime() }),
  }));
  if (apiKeySha256 !== undefined) {
    credentials.push({ digest: Buffer.from(apiKeySha256, 'hex'), identity: toIdentity(DEFAULT, parts) });
  }
  if (operatorKey !== undefined && !hasKeys(policy, parts)) {
    credentials.push({ digest: digestOf(operatorKey), identity: toIdentity(OPERATOR, parts) });
  }
  return credentials;
}

function toCaller({ name, roles, profile, rateLimit }: PolicyCaller): Caller {
  return { name, roles, ...(profile !== undefined && { profile }), ...(rateLimit && { rateLimit }) };
}

/** Looks at every credential whatever it finds, so that the time says nothing about which one matched. */
function findCredential(credentials: readonly Credential[], bearer: string): Credential | undefined {
  const presented = digestOf(bearer);
  let found: Credential | undefined;
  for (const credential of credentials) {
    if (timingSafeEqual(credential.digest, presented)) found = credential;
  }
  return found;
}

function digestOf(key: string): Buffer {
  return Buffer.from(hashCredential(key), 'hex');
}

function toIdentity(caller: Caller, parts: IdentifyParts): Identity {
  const { policy, approval } = parts;
  const own = approval.callers.get(caller.name);
  const grant: Grant = { approved: approval.approved, ...(own && { caller: own }) };
  const profile = caller.profile ?? policy.defaultProfile;
  const narrowed = profile === undefined ? grant : narrow(grant, profile, parts);
  return Object.freeze({ caller: Object.freeze(caller), grant: Object.freeze(narrowed ?? NOTHING) });
}

/** For a profile that does not exist: fail closed. */
const NOTHING: Grant = { approved: new Set() };

/** The tools and skills that both allow. A grant without any profile has no skills yet, so it gets this profile's. */
function narrow(grant: Grant, name: string, { policy, approval, shelves }: IdentifyParts): Grant | undefined {
  if (!policy.profiles.has(name)) return undefined;
  const tools = approval.profiles.get(name);
  const own = shelves?.get(name) ?? EMPTY_SHELF;
  const both = tools && grant.profile ? common(tools, grant.profile) : (tools ?? grant.profile);
  const shelf =
    grant.shelf === undefined
      ? own
      : narrowShelf(
          grant.shelf,
          own.list().map((skill) => skill.name),
        );
  return { ...grant, ...(both && { profile: both }), shelf };
}

function common(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...a].filter((ref) => b.has(ref)));
}
