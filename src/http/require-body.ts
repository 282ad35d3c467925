import { BrokerError } from '../core/broker-error.ts';

/** The body of a route that cannot do without one. The wire schema leaves an absent body to the route. */
export function requireBody<Body>(body: Body | undefined | null): Body {
  if (body !== undefined && body !== null) return body;
  throw new BrokerError('INVALID_INPUT', 'The request has no body.', {
    expectedFormat: 'a JSON object, with Content-Type: application/json',
  });
}
