import { describe, expect, it } from 'vitest';

import { LIMIT_RULES } from '../../src/catalog/policy-limits.ts';
import { checkPolicy } from '../../src/catalog/policy-parse.ts';
import type { BootFault } from '../../src/core/boot-error.ts';

function faultsOf(text: string): readonly BootFault[] {
  return checkPolicy({ text, source: 'p' }).faults;
}

describe('limits', () => {
  it.each(Object.entries(LIMIT_RULES))(
    '%s is taken from 1 to its ceiling and no further',
    (key, { ceiling, field }) => {
      // The store must hold what one artifact may have.
      const room = key === 'max_artifact_bytes' || key === 'artifact_store_bytes';
      const withRoom = (value: number): string => {
        const other =
          key === 'artifact_store_bytes' ? 'max_artifact_bytes: 1' : `artifact_store_bytes: ${ceiling}`;
        return `limits: {${key}: ${value}${room ? `, ${other}` : ''}}`;
      };
      for (const value of [1, ceiling]) {
        const { policy, faults } = checkPolicy({ text: withRoom(value), source: 'p' });
        expect(faults).toStrictEqual([]);
        expect(policy.limits[field]).toBe(value);
      }
      for (const value of [0, ceiling + 1]) {
        expect(faultsOf(withRoom(value))[0]?.message).toContain(`limits.${key} is the number ${value}`);
      }
      expect(Number.isSafeInteger(ceiling)).toBe(true);
    },
  );
});
