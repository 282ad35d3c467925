import type { QuotaView } from '../core/quota-view.ts';

/**
 * `RateLimit` and `RateLimit-Policy` as lists of structured fields (RFC 9651, draft-ietf-httpapi-ratelimit-headers):
 * `"calls";r=17;t=540` and `"calls";q=20;w=600`. No fields where no quota was met.
 */
export function quotaHeaders(quotas: readonly QuotaView[] | undefined): Readonly<Record<string, string>> {
  if (quotas === undefined || quotas.length === 0) return {};
  const policy = quotas.map(({ name, limit, windowSeconds }) => `"${name}";q=${limit};w=${windowSeconds}`);
  const state = quotas.map(
    ({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`,
  );
  return { 'ratelimit-policy': policy.join(', '), ratelimit: state.join(', ') };
}
