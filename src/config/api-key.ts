import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import type { BootFault } from '../core/boot-error.ts';
import { errorCode } from './error-code.ts';
import { type Environment, MIN_KEY_CHARACTERS, sayWrong, VARIABLES } from './variables.ts';

/** A key that is set and empty is a fault: whoever set it meant the service to ask for a key. */
export function readApiKey(env: Environment, faults: BootFault[]): string | undefined {
  const { API_KEY: key, API_KEY_FILE: path } = env;
  if (key !== undefined && path !== undefined) {
    const message = 'API_KEY is set too, so it is unclear which key counts.';
    faults.push({ source: 'API_KEY_FILE', message, remedy: 'Keep one of the two.' });
  }
  const source = key === undefined ? 'API_KEY_FILE' : 'API_KEY';
  const text = key ?? (path === undefined ? undefined : readKeyFile(path, faults));
  if (text === undefined) return undefined;
  if (/^[!-~]*$/u.test(text) && text.length >= MIN_KEY_CHARACTERS) {
    return createHash('sha256').update(text).digest('hex');
  }
  faults.push(sayWrong(source, `What was received (${Array.from(text).length} characters)`));
  return undefined;
}

/** The path is not shown: it may be a key that was put into the wrong variable. */
function readKeyFile(path: string, faults: BootFault[]): string | undefined {
  try {
    return readFileSync(path, 'utf8').replace(/[\r\n]+$/u, '');
  } catch (error) {
    const message = `The file that it names cannot be read (${errorCode(error)}; its path has ${path.length} characters).`;
    faults.push({ source: 'API_KEY_FILE', message, remedy: `Set it to ${VARIABLES.API_KEY_FILE.expected}.` });
    return undefined;
  }
}
