import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';

/** Whether an address belongs to the public internet: neither private, loopback, link-local, nor a way around to one. */
export function isPublicAddress(address: string): boolean {
  try {
    return ipaddr.process(address.replace(/%.*$/u, '')).range() === 'unicast';
  } catch {
    return false;
  }
}

/** Thrown instead of connecting. */
export class PrivateAddress extends Error {}

/** The address that `url` names by number, if it does: those are connected to without a look-up. */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/u, '$1');
  return isIP(host) === 0 ? undefined : host;
}

/**
 * A look-up that answers only with public addresses. It is the one that the connection uses, so a name cannot answer
 * one way when it is checked and another way when it is used.
 */
export function createPublicLookup(isAllowed: (address: string) => boolean) {
  return (
    host: string,
    options: LookupOptions,
    done: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
  ): void => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, []);
      const inner = addresses.find(({ address }) => !isAllowed(address));
      const [first] = addresses;
      if (inner !== undefined || first === undefined) {
        return done(new PrivateAddress(`${host} leads to the address ${inner?.address ?? '(none)'}`), []);
      }
      return options.all === true ? done(null, addresses) : done(null, first.address, first.family);
    });
  };
}
