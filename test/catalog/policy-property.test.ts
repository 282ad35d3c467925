import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { checkPolicy } from '../../src/catalog/policy-parse.ts';

/** Whether all that comes back is a policy and faults that say where. */
function isPlaced(text: string): boolean {
  const { policy, faults } = checkPolicy({ text, source: 'p' });
  const lines = text.split(/\r\n|\n|\r/u).length;
  const areSaid = faults.every(
    ({ line = 0, column = 0, message, remedy }) =>
      line >= 1 &&
      line <= lines + 1 &&
      column >= 1 &&
      message !== '' &&
      message.length < 1000 &&
      remedy !== '',
  );
  return areSaid && /^[0-9a-f]{16}$/u.test(policy.revision);
}

describe('any text', () => {
  it('gives a policy or faults with places, never anything else', () => {
    const words = 'approve limits callers profiles name local a@1 &a *a !t << --- % 1 ~'.split(' ');
    const signs = [...Array.from(':[]{},"\'#|>?-'), ' ', '  ', '\n', '- ', ': ', '\t', '\u2028', '\0'];
    const soup = fc
      .array(fc.constantFrom(...words, ...signs), { maxLength: 40 })
      .map((parts) => parts.join(''));
    const text = fc.oneof(soup, fc.string({ unit: 'binary' }));
    expect(fc.check(fc.property(text, isPlaced), { numRuns: 2000 }).counterexample).toBeNull();
  });

  it('that is YAML with anything in it gives a policy or faults with places', () => {
    const keys = 'approve limits callers profiles default_profile max_queued_calls name roles tools x'.split(
      ' ',
    );
    const { tree } = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(null, 1, '', 'local', true, []),
        tie('tree'),
        tie('list'),
      ),
      tree: fc.dictionary(fc.constantFrom(...keys), tie('node'), { maxKeys: 4 }),
      list: fc.array(tie('node'), { maxLength: 3 }),
    }));
    const text = tree.map((value) => JSON.stringify(value));
    expect(fc.check(fc.property(text, isPlaced), { numRuns: 1000 }).counterexample).toBeNull();
  });
});
