import { readFileSync } from 'node:fs';

import type { BootFault } from '../core/boot-error.ts';
import { errorCode } from './error-code.ts';
import { type Environment, type VariableName, VARIABLES } from './variables.ts';

export interface Secret {
  readonly text: string;
  /** The variable that it came from. */
  readonly source: VariableName;
}

/** A secret that stands in one variable or in the file that the other one names; set and empty is ''. Both: a fault. */
export function readSecret(
  env: Environment,
  [name, fileName]: readonly [VariableName, VariableName],
  faults: BootFault[],
): Secret | undefined {
  const { [name]: value, [fileName]: path } = env;
  if (value !== undefined && path !== undefined) {
    const message = `${name} is set too, so it is unclear which one counts.`;
    faults.push({ source: fileName, message, remedy: 'Keep one of the two.' });
  }
  if (value !== undefined) return { text: value, source: name };
  const text = path === undefined ? undefined : readSecretFile(path, fileName, faults);
  return text === undefined ? undefined : { text, source: fileName };
}

/** The path is not shown: it may be a secret that was put into the wrong variable. */
function readSecretFile(path: string, name: VariableName, faults: BootFault[]): string | undefined {
  try {
    return readFileSync(path, 'utf8').replace(/[\r\n]+$/u, '');
  } catch (error) {
    const message = `The file that it names cannot be read (${errorCode(error)}; its path has ${path.length} characters).`;
    faults.push({ source: name, message, remedy: `Set it to ${VARIABLES[name].expected}.` });
    return undefined;
  }
}
