import { BrokerError } from '../../core/broker-error.ts';
import { quote } from '../../core/quote.ts';
import type { HttpSettings } from '../deps.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u;
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/u;

/**
 * Refuses a Host that this service is not known by, so that a page in a browser cannot reach it under a name of its
 * own (DNS rebinding). Without keys it must be a loopback name; with keys one of `allowedHosts`, if those are set.
 */
export function createHostCheck(settings: HttpSettings): (host: string) => void {
  const allowed = settings.allowedHosts && new Set(settings.allowedHosts.map((host) => host.toLowerCase()));
  const isAllowed = (host: string, name: string): boolean => {
    if (!settings.keysConfigured) return LOOPBACK.test(name);
    return allowed === undefined || allowed.has(host) || allowed.has(name);
  };
  const seen = new Set<string>();
  return (given) => {
    if (seen.has(given)) return;
    const host = given.toLowerCase();
    const name = HOST.exec(host)?.[1];
    if (name === undefined || !isAllowed(host, name)) throw refuse(given, settings.keysConfigured);
    // Few names pass, each seen again with every request; with any name allowed the set must not grow.
    if (seen.size < 64) seen.add(given);
  };
}

function refuse(host: string, keysConfigured: boolean): BrokerError {
  const remedy = keysConfigured
    ? 'Use a host name that the operator has listed in ALLOWED_HOSTS.'
    : 'Use localhost, 127.0.0.1 or [::1]; other names need keys to be configured.';
  return new BrokerError('FORBIDDEN', `Host ${quote(host)} is not served here.`, { resolution: remedy });
}
