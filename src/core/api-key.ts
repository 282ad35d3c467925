import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'tb_';
const SECRET_BYTES = 32;
const CHECKSUM_DIGITS = 8;

/** `tb_`, 256 random bits, and a checksum by which a scanner can tell a leaked key from any other text. */
export function createApiKey(): string {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return `${PREFIX}${secret}${checksumOf(secret)}`;
}

/** Whether a text has the form of such a key, checksum and all. Says nothing about whether it is known. */
export function looksLikeApiKey(text: string): boolean {
  if (!text.startsWith(PREFIX)) return false;
  const secret = text.slice(PREFIX.length, -CHECKSUM_DIGITS);
  return secret.length === Math.ceil((SECRET_BYTES * 4) / 3) && text.endsWith(checksumOf(secret));
}

/** CRC-32 as eight hex digits. */
function checksumOf(secret: string): string {
  return crc32(secret).toString(16).padStart(CHECKSUM_DIGITS, '0');
}
