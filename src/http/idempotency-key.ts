import { BrokerError } from '../core/broker-error.ts';

const KEY = /^[!-~]{1,255}$/u;
const EXPECTED = '1 to 255 visible ASCII characters';

/** The Idempotency-Key header; undefined where there is none. Throws INVALID_INPUT. The guard has refused repeats. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && KEY.test(header)) return header;
  const { length } = header;
  throw new BrokerError(
    'INVALID_INPUT',
    `Idempotency-Key must be ${EXPECTED}; received ${length === 0 ? 'an empty value' : `${length} characters`}.`,
    { resolution: 'Send a random key, such as a UUID, for each call.', expectedFormat: EXPECTED },
  );
}
