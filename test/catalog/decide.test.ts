import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decide } from '../../src/catalog/decide.ts';
import type { Grant } from '../../src/core/grant.ts';
import { makeTool } from '../support/tools.ts';

const { spec } = makeTool();
const refs = fc.uniqueArray(fc.constantFrom('echo@1', 'echo@2', 'other@1', 'Echo@1'));
const layer = fc.option(refs, { nil: undefined });

function grantOf(
  approved: readonly string[],
  caller?: readonly string[],
  profile?: readonly string[],
): Grant {
  return {
    approved: new Set(approved),
    ...(caller === undefined ? {} : { caller: new Set(caller) }),
    ...(profile === undefined ? {} : { profile: new Set(profile) }),
  };
}

describe('decide', () => {
  it('allows nothing without a grant', () => {
    expect(decide(spec, undefined)).toEqual({ allowed: false, reason: 'not_approved' });
  });

  it('takes an empty list for nothing, in every layer', () => {
    expect(decide(spec, grantOf([])).reason).toBe('not_approved');
    expect(decide(spec, grantOf(['echo@1'], [])).reason).toBe('not_for_caller');
    expect(decide(spec, grantOf(['echo@1'], ['echo@1'], [])).reason).toBe('not_in_profile');
  });

  it('never folds case or versions', () => {
    expect(decide(spec, grantOf(['Echo@1', 'echo@2', 'echo'])).allowed).toBe(false);
  });

  it('allows exactly what stands in every layer that is present', () => {
    fc.assert(
      fc.property(refs, layer, layer, (approved, caller, profile) => {
        const expected = [approved, caller, profile].every(
          (list) => list === undefined || list.includes('echo@1'),
        );
        expect(decide(spec, grantOf(approved, caller, profile)).allowed).toBe(expected);
      }),
    );
  });

  it('is never widened by another layer', () => {
    fc.assert(
      fc.property(refs, layer, layer, (approved, caller, profile) => {
        const narrowed = decide(spec, grantOf(approved, caller, profile)).allowed;
        expect(!narrowed || decide(spec, grantOf(approved)).allowed).toBe(true);
      }),
    );
  });
});
