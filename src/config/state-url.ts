import type { BootFault } from '../core/boot-error.ts';
import type { ServerAddress } from '../core/server-address.ts';
import { readSecret } from './read-secret.ts';
import { type Environment, sayWrong } from './variables.ts';

const DEFAULT_PORT = 6_379;
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])$/iu;

/**
 * Where the shared store is; undefined: state is kept in this process. Set and empty is a fault: whoever set it meant
 * several brokers to share. What was received is never shown.
 */
export function readStateUrl(env: Environment, faults: BootFault[]): ServerAddress | undefined {
  const secret = readSecret(env, ['STATE_URL', 'STATE_URL_FILE'], faults);
  if (secret === undefined) return undefined;
  const address = parseStateUrl(secret.text);
  if (address === undefined) {
    faults.push(sayWrong(secret.source, `What was received (${Array.from(secret.text).length} characters)`));
  }
  return address;
}

/** Strict, so that a password with `/`, `?` or `#` in it is refused and does not end up in a host name. */
export function parseStateUrl(text: string): ServerAddress | undefined {
  const url = /^rediss?:\/\/\S+$/u.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const database = /^\/?(\d{0,7})$/u.exec(url?.pathname ?? '-')?.[1];
  if (url === undefined || !HOST.test(url.hostname) || url.port === '0') return undefined;
  if (database === undefined || /[?#]/u.test(text)) return undefined;
  const [username, password] = [decode(url.username), decode(url.password)];
  if (username === undefined || password === undefined) return undefined;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/u, '$1'),
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    tls: url.protocol === 'rediss:',
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
    database: Number(database),
  };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
