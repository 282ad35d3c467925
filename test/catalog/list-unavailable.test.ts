import { describe, expect, it } from 'vitest';

import { listUnavailable } from '../../src/catalog/list-unavailable.ts';

const refusal = { source: 'x', reason: 'It hides text.' };

describe('approved tools that were refused at boot', () => {
  it('are named by their own entry, without package, version and digest', () => {
    const deadEntries = ['note@1', 'pack:plot@1.0.0#sha256:ab', 'unapproved@1'].map((entry) => ({
      entry,
      reason: 'It is broken.',
    }));
    const approveEntries = ['note@1', 'pack:plot@1.0.0#sha256:ab'];
    expect(listUnavailable({ approveEntries, deadEntries, refusals: [] })).toEqual([
      { name: 'note', reason: 'It is broken.' },
      { name: 'plot', reason: 'It is broken.' },
    ]);
  });

  it.each([
    ['the package', ['pack@1.0.0']],
    ['the package with its digest', ['pack@1.0.0#sha256:ab']],
    ['the package and the command', ['pack@1.0.0', 'pack:hide@1.0.0']],
  ])('are named when the policy approves %s', (_what, approveEntries) => {
    const refusals = [{ ...refusal, origin: 'package:pack', ref: 'hide@1.0.0' }];
    const deadEntries = [{ entry: 'pack:hide@1.0.0', reason: refusal.reason }];
    expect(listUnavailable({ approveEntries, deadEntries, refusals })).toEqual([
      { name: 'hide', reason: 'It hides text.' },
    ]);
  });

  it.each([
    ['another version', { origin: 'package:pack', ref: 'hide@1.0.1' }],
    ['another package', { origin: 'package:other', ref: 'hide@1.0.0' }],
    ['no package', { origin: 'directory:pack', ref: 'hide@1.0.0' }],
    ['no ref', { origin: 'package:pack' }],
  ])('are not those of %s', (_what, where) => {
    const refusals = [{ ...refusal, ...where }];
    expect(listUnavailable({ approveEntries: ['pack@1.0.0'], deadEntries: [], refusals })).toEqual([]);
  });
});
