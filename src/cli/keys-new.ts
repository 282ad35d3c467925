import { createApiKey, hashCredential } from '../core/api-key.ts';
import type { Role } from '../core/caller.ts';
import { quote } from '../core/quote.ts';
import { isName } from '../core/ref.ts';

const ROLES: readonly string[] = ['runner', 'operator'] satisfies Role[];

export interface KeysNewOptions {
  /** Of the caller. */
  readonly name: string;
  readonly roles: readonly string[];
  readonly print: (line: string) => void;
}

/**
 * `tool-broker keys new`: makes a key and shows it, this once, with the lines that give it to a caller in the policy.
 * Nothing is written anywhere. Exit code 0, or 2 for a wrong name or role.
 */
export function newKey({ name, roles, print }: KeysNewOptions): number {
  const wrong = roles.find((role) => !ROLES.includes(role));
  if (!isName(name)) {
    print(`${quote(name)} is no name of a caller: 1 to 64 of A-Z a-z 0-9 _ -, a letter or digit first.`);
    return 2;
  }
  if (wrong !== undefined || roles.length === 0) {
    print(`${quote(wrong ?? '')} is no role. A role is ${ROLES.join(' or ')}; name one or both.`);
    return 2;
  }
  const key = createApiKey();
  print('The key, shown this once. Give it to its caller and keep it nowhere else:');
  print('');
  print(`  ${key}`);
  print('');
  print(
    'The entry for `callers` in the policy, which holds only its hash; restart the service after adding it:',
  );
  print('');
  print(`  - name: ${name}`);
  print(`    key_sha256: '${hashCredential(key)}'`);
  print(`    roles: [${[...new Set(roles)].join(', ')}]`);
  return 0;
}
