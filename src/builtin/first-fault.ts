import type { Fault } from '../core/broker-error.ts';
import type { JsonObject } from '../core/json.ts';
import { quote } from '../core/quote.ts';

/** One check of a tool's own: what is wrong, or undefined. */
export type Check = (args: JsonObject) => Fault | undefined;

const MAX_NAMED = 20;
const PLAIN_NAME = /^[\p{L}\p{N}_.$-]{1,64}$/u;

/** Runs the checks in order; the first fault ends them, so that one sentence says what to mend. */
export function firstFault(args: JsonObject, checks: readonly Check[]): Fault[] {
  for (const check of checks) {
    const fault = check(args);
    if (fault) return [fault];
  }
  return [];
}

/** Refuses arguments that the tool does not have, naming them sorted. */
export function refuseUnknown(known: readonly string[]): Check {
  return (args) => {
    const unknown = Object.keys(args).filter((name) => !known.includes(name));
    if (unknown.length === 0) return undefined;
    const named = unknown.toSorted().slice(0, MAX_NAMED).map(showName);
    if (unknown.length > MAX_NAMED) named.push(`and ${unknown.length - MAX_NAMED} more`);
    return { path: '', message: `unsupported arguments: ${named.join(', ')}` };
  };
}

function showName(name: string): string {
  return PLAIN_NAME.test(name) ? name : quote(name);
}

/** Whether a text has at most `limit` code points. */
export function isWithin(text: string, limit: number): boolean {
  if (text.length <= limit) return true;
  return text.length <= limit * 2 && Array.from(text).length <= limit;
}
