import { createHash } from 'node:crypto';

import { canonicalJson, type JsonObject } from '../core/json.ts';
import type { PolicyDocument } from './policy-schema.ts';

const REVISION_DIGITS = 16;

/**
 * First 16 hex digits of the SHA-256 over what the policy says: layout, comments and the order of approvals do not count. Defaults
 * are left out, because some follow from the machine and replicas must agree.
 */
export function policyRevision(document: PolicyDocument): string {
  const canonical = { ...document, approve: (document.approve ?? []).toSorted() };
  const text = canonicalJson(canonical as unknown as JsonObject);
  return createHash('sha256').update(text).digest('hex').slice(0, REVISION_DIGITS);
}
