import { createHash, timingSafeEqual } from 'node:crypto';

import { BrokerError } from '../core/broker-error.ts';
import type { Caller } from '../core/caller.ts';
import type { Grant } from '../core/grant.ts';
import type { Approval } from './approve.ts';
import type { Identify, Identity } from './identity.ts';
import { hasKeys } from './policy-access.ts';
import type { Policy } from './policy.ts';

export interface IdentifyParts {
  readonly policy: Policy;
  readonly approval: Approval;
  /** Lower-case hex, of API_KEY or API_KEY_FILE. */
  readonly apiKeySha256?: string;
  /** Made for this start; counts only when no other key is configured. */
  readonly operatorKey?: string;
  /** The wall clock in milliseconds, for keys that expire. */
  readonly now?: () => number;
}

interface Credential {
  readonly digest: Buffer;
  readonly identity: Identity;
  readonly expiresAtMs?: number;
}

const MISSING = 'This service needs an API key, and the request carries none.';
const WRONG = 'The credential that was presented is unknown or has expired.';

/**
 * Settles once, at boot, who may call and what each may do. With keys configured every call needs one; without, a
 * call without a credential is the anonymous runner. A credential that is presented must be right either way.
 */
export function createIdentify(parts: IdentifyParts): Identify {
  const { now = Date.now } = parts;
  const anonymous = hasKeys(parts.policy, parts) ? undefined : toIdentity(ANONYMOUS, parts);
  const credentials = listCredentials(parts);
  return (bearer) => {
    if (bearer === undefined) {
      if (anonymous === undefined) throw new BrokerError('UNAUTHENTICATED', MISSING);
      return anonymous;
    }
    const credential = findCredential(credentials, bearer);
    if (credential === undefined || now() >= (credential.expiresAtMs ?? Infinity)) {
      throw new BrokerError('UNAUTHENTICATED', WRONG);
    }
    return credential.identity;
  };
}

const ANONYMOUS: Caller = { name: 'anonymous', roles: ['runner'] };
const DEFAULT: Caller = { name: 'default', roles: ['runner', 'operator'] };
const OPERATOR: Caller = { name: 'operator', roles: ['runner', 'operator'] };

function listCredentials(parts: IdentifyParts): Credential[] {
  const { policy, apiKeySha256, operatorKey } = parts;
  const credentials: Credential[] = policy.callers.map(({ name, roles, profile, keySha256, expiresAt }) => ({
    digest: Buffer.from(keySha256, 'hex'),
    identity: toIdentity({ name, roles, ...(profile === undefined ? {} : { profile }) }, parts),
    ...(expiresAt && { expiresAtMs: expiresAt.getTime() }),
  }));
  if (apiKeySha256 !== undefined) {
    credentials.push({ digest: Buffer.from(apiKeySha256, 'hex'), identity: toIdentity(DEFAULT, parts) });
  }
  if (operatorKey !== undefined && !hasKeys(policy, parts)) {
    credentials.push({ digest: digestOf(operatorKey), identity: toIdentity(OPERATOR, parts) });
  }
  return credentials;
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
  return createHash('sha256').update(key, 'utf8').digest();
}

function toIdentity(caller: Caller, { policy, approval }: IdentifyParts): Identity {
  const own = approval.callers.get(caller.name);
  const profileName = caller.profile ?? policy.defaultProfile;
  const profile = profileName === undefined ? undefined : profileTools(profileName, policy, approval);
  const grant: Grant = {
    approved: approval.approved,
    ...(own && { caller: own }),
    ...(profile && { profile }),
  };
  return Object.freeze({ caller: Object.freeze(caller), grant: Object.freeze(grant) });
}

/** Undefined when the profile leaves all tools; nothing at all when there is no such profile. */
function profileTools(name: string, policy: Policy, approval: Approval): ReadonlySet<string> | undefined {
  return approval.profiles.get(name) ?? (policy.profiles.has(name) ? undefined : new Set());
}
