import Negotiator from 'negotiator';

import { BrokerError } from '../core/broker-error.ts';
import { quote } from '../core/quote.ts';

const JSON_TYPE = 'application/json';

/** Any parameter of a media range but q. A quoted value may hold commas and semicolons. */
const PARAMETER = /;(?![ \t]*q[ \t]*=)[^;,"]*(?:"(?:[^"\\]|\\.)*(?:"|$))?/giu;

/** What is offered has no parameters: `application/json; charset=utf-8` asks for plain `application/json`. */
function negotiate(accept: string): Negotiator {
  return new Negotiator({ headers: { accept: accept.replaceAll(PARAMETER, '') } });
}

/** Whether an Accept header allows this media type at all. Absent and empty allow everything. */
export function accepts(accept: string | undefined, mediaType: string): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  return negotiate(accept).mediaTypes([mediaType]).length > 0;
}

/**
 * JSON wherever Accept allows it, even in passing (`*` slash `*`, a lower q): only a header that excludes JSON chooses
 * one of the others. Throws NOT_ACCEPTABLE when nothing is left.
 */
export function chooseRepresentation(accept: string | undefined, others: readonly string[]): string {
  if (accept === undefined || accepts(accept, JSON_TYPE)) return JSON_TYPE;
  const chosen = negotiate(accept).mediaType([...others]);
  if (chosen !== undefined) return chosen;
  throw new BrokerError('NOT_ACCEPTABLE', `Accept ${quote(accept)} allows nothing that this answer can be.`, {
    expectedFormat: [JSON_TYPE, ...others].join(', '),
  });
}
