import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const KEY_PREFIX = 'tb_';
const TOKEN_PREFIX = 'tbr_';
const SECRET_BYTES = 32;
const RUN_ID_BYTES = 16;

/** `tb_`, 256 random bits, and a CRC-32 by which a scanner can tell a leaked key from any other text. */
export function createApiKey(): string {
  return withChecksum(KEY_PREFIX, randomBytes(SECRET_BYTES).toString('base64url'));
}

/** `tbr_`, the run's id, 256 random bits, and the checksum. The run's id is no secret. */
export function createRunToken(): { readonly runId: string; readonly token: string } {
  const runId = randomBytes(RUN_ID_BYTES).toString('base64url');
  return {
    runId,
    token: withChecksum(TOKEN_PREFIX, runId + randomBytes(SECRET_BYTES).toString('base64url')),
  };
}

const RUN_ID_DIGITS = 22;
const SECRET_DIGITS = 43;
const CHECKSUM_DIGITS = 8;

/** Whether a text has the form of a key of ours, checksum and all. Says nothing about whether it is known. */
export function looksLikeApiKey(text: string): boolean {
  return hasForm(text, KEY_PREFIX, SECRET_DIGITS);
}

/** The run that a token names; undefined when the text is no run token. Says nothing about whether it is valid. */
export function runIdOf(token: string): string | undefined {
  if (!hasForm(token, TOKEN_PREFIX, RUN_ID_DIGITS + SECRET_DIGITS)) return undefined;
  return token.slice(TOKEN_PREFIX.length, TOKEN_PREFIX.length + RUN_ID_DIGITS);
}

/** Lower-case hex SHA-256: all that is ever kept of a key or a token. */
export function hashCredential(text: string): string {
  return hash('sha256', text, 'hex');
}

function hasForm(text: string, prefix: string, digits: number): boolean {
  const body = text.slice(prefix.length, -CHECKSUM_DIGITS);
  return body.length === digits && /^[\w-]+$/u.test(body) && text === withChecksum(prefix, body);
}

function withChecksum(prefix: string, body: string): string {
  return `${prefix}${body}${crc32(body).toString(16).padStart(CHECKSUM_DIGITS, '0')}`;
}
