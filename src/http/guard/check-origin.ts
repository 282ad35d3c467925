import { BrokerError } from '../../core/broker-error.ts';
import { quote } from '../../core/quote.ts';

/**
 * Refuses a request that a page of another site makes a browser send: Origin, when present, must be this service's own
 * (the same host and port as Host) or an allowed one. The scheme is not compared: TLS may end before this process.
 */
export function createOriginCheck(
  allowedOrigins: readonly string[] = [],
): (origin: string, host: string) => void {
  const allowed = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));
  return (origin, host) => {
    if (allowed.has(origin.toLowerCase()) || isSameHost(origin, host)) return;
    throw new BrokerError('FORBIDDEN', `Origin ${quote(origin)} may not use this service.`, {
      resolution: 'Call from the service itself, or have the operator list the origin in ALLOWED_ORIGINS.',
    });
  };
}

function isSameHost(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: given } = new URL(origin);
  const own = `${protocol}//${host}`;
  // URL drops the port that is the scheme's own from both.
  return (protocol === 'http:' || protocol === 'https:') && URL.canParse(own) && new URL(own).host === given;
}
