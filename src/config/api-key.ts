import { createHash } from 'node:crypto';

import type { BootFault } from '../core/boot-error.ts';
import { readSecret } from './read-secret.ts';
import { type Environment, MIN_KEY_CHARACTERS, sayWrong } from './variables.ts';

/** A key that is set and empty is a fault: whoever set it meant the service to ask for a key. */
export function readApiKey(env: Environment, faults: BootFault[]): string | undefined {
  const secret = readSecret(env, ['API_KEY', 'API_KEY_FILE'], faults);
  if (secret === undefined) return undefined;
  const { text, source } = secret;
  if (/^[!-~]*$/u.test(text) && text.length >= MIN_KEY_CHARACTERS) {
    return createHash('sha256').update(text).digest('hex');
  }
  faults.push(sayWrong(source, `What was received (${Array.from(text).length} characters)`));
  return undefined;
}
