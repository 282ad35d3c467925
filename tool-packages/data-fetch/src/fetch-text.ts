import { NeedsAction, Retryable, ToolError } from 'tool-package-sdk';
import { Agent, request, type Dispatcher } from 'undici';

import { isAllowedHost } from './allowed-hosts.ts';
import { createPublicLookup, isPublicAddress, literalAddress, PrivateAddress } from './public-address.ts';

const MAX_REDIRECTS = 5;
const MAX_BODY_BYTES = 8 * 1_048_576;
const TOTAL_MS = 30_000;
const ACCEPT = 'text/csv, application/json;q=0.9, text/plain;q=0.5';

export interface FetchedText {
  readonly text: string;
  /** Lower case, without parameters; '' when the server named none. */
  readonly mediaType: string;
}

/** Limits that a test narrows, and the rule of addresses, which a test must loosen to reach its own server. */
export interface FetchRules {
  readonly isAllowedAddress?: (address: string) => boolean;
  readonly maxBodyBytes?: number;
  readonly totalMs?: number;
}

/**
 * Gets `url` as text. Every hop is checked: its host must be in `allowedHosts`, and the address that is connected to must be
 * public. Throws ToolError, Retryable or NeedsAction, each saying what to do.
 */
export async function fetchText(
  url: URL,
  allowedHosts: string,
  rules: FetchRules = {},
): Promise<FetchedText> {
  const isAllowed = rules.isAllowedAddress ?? isPublicAddress;
  const dispatcher = new Agent({ connect: { lookup: createPublicLookup(isAllowed) } });
  const signal = AbortSignal.timeout(rules.totalMs ?? TOTAL_MS);
  try {
    let place = url;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      checkPlace(place, allowedHosts, isAllowed);
      const headers = { accept: ACCEPT, 'accept-encoding': 'identity', 'user-agent': 'data-fetch/1' };
      const answer = await request(place, { dispatcher, signal, headers });
      const next = redirectTarget(answer, place);
      if (next === undefined) return await readAnswer(answer, rules.maxBodyBytes ?? MAX_BODY_BYTES);
      place = next;
    }
    throw new ToolError(`${url.host} redirects more than ${MAX_REDIRECTS} times.`);
  } catch (error) {
    throw explain(error, url);
  } finally {
    await dispatcher.destroy();
  }
}

function checkPlace(url: URL, allowedHosts: string, isAllowed: (address: string) => boolean): void {
  if (url.username !== '' || url.password !== '') {
    throw new Retryable('The URL carries a user name or password; send it without.');
  }
  if (!isAllowedHost(url, allowedHosts)) {
    const granted = allowedHosts === '' ? 'none' : allowedHosts;
    throw new NeedsAction(
      `The host ${url.host} is not granted to this tool (granted: ${granted}). ` +
        `Ask the operator to grant ${url.host}, or use a demo source.`,
    );
  }
  const literal = literalAddress(url);
  if (literal !== undefined && !isAllowed(literal)) throw new PrivateAddress(`${url.host} is an address`);
}

function redirectTarget(answer: Dispatcher.ResponseData, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(answer.statusCode)) return undefined;
  answer.body.on('error', () => undefined).destroy();
  const location = answer.headers['location'];
  const target =
    typeof location === 'string' && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  const isWeb = target?.protocol === 'https:' || (target?.protocol === 'http:' && from.protocol === 'http:');
  if (target === undefined || !isWeb) {
    throw new ToolError(`${from.host} redirects to a place that cannot be followed.`);
  }
  return target;
}

async function readAnswer(answer: Dispatcher.ResponseData, maxBytes: number): Promise<FetchedText> {
  refuseStatus(answer.statusCode);
  const encoding = answer.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new ToolError('The server sends compressed data although it was asked not to.');
  }
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer.body) {
    bytes += (piece as Buffer).length;
    if (bytes > maxBytes)
      throw new ToolError(`The answer is larger than ${maxBytes} bytes, the most this tool takes.`);
    pieces.push(piece as Buffer);
  }
  const type = answer.headers['content-type'];
  const mediaType = (Array.isArray(type) ? type[0] : type)?.split(';')[0]?.trim().toLowerCase() ?? '';
  return { text: decode(Buffer.concat(pieces)), mediaType };
}

function refuseStatus(status: number): void {
  if (status >= 200 && status < 300) return;
  if (status === 401 || status === 403) {
    throw new NeedsAction(`The server answers ${status}: it wants a credential, and this tool has none.`);
  }
  if (status === 404 || status === 410)
    throw new Retryable(`The server answers ${status}: nothing is there. Check the URL.`);
  if (status >= 500 || status === 429 || status === 408) {
    throw new Retryable(`The server answers ${status}: it is busy or away. Call again later.`);
  }
  throw new ToolError(`The server answers ${status}.`);
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ToolError('The answer is not UTF-8 text.');
  }
}

function explain(error: unknown, url: URL): Error {
  if (error instanceof ToolError) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (error instanceof PrivateAddress || cause instanceof PrivateAddress) {
    return new ToolError(
      `${(cause as Error).message} that is not on the public internet; this tool does not go there.`,
    );
  }
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new Retryable(`${url.host} took too long. Call again later.`);
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unknown fault';
  return new Retryable(`${url.host} could not be reached (${code}). Check the URL, or call again later.`);
}
