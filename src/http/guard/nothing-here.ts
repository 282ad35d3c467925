import { BrokerError } from '../../core/broker-error.ts';

/** The answer for a path without a route. */
export function nothingHere(): BrokerError {
  return new BrokerError('NOT_FOUND', 'There is nothing at this path.', {
    resolution: 'Use a path of the API; /openapi.json lists them.',
  });
}
