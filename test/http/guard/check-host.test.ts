import { describe, expect, it, vi } from 'vitest';

import { createHostCheck } from '../../../src/http/guard/check-host.ts';

const settings = {
  version: '0.0.0-test',
  keysConfigured: true,
  maxBodyBytes: 1,
  maxUploadBytes: 1,
  artifactTtlMs: 1,
};

describe('the hosts that were seen', () => {
  it('are remembered up to 64 of them, and no more', () => {
    const check = createHostCheck(settings);
    const add = vi.spyOn(Set.prototype, 'add');
    try {
      for (let round = 0; round < 2; round += 1) {
        for (let at = 0; at < 1_000; at += 1) check(`h${at}.example`);
      }
      const kept = add.mock.calls
        .map(([host]) => host as unknown)
        .filter((host) => /^h\d+\.example$/u.test(String(host)));
      expect(kept).toHaveLength(64);
    } finally {
      add.mockRestore();
    }
  });
});
