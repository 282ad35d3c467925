import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

import { nameSkipped } from './test/support/name-skipped.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/fixed-seed.ts'],
    exclude: ['test/fixtures/**', 'test/replicas/**', 'node_modules/**'],
    // Many tests wait for a process or a clock, so one more than there are cores keeps all of them busy.
    maxWorkers: availableParallelism() + 1,
    reporters: [nameSkipped, 'default'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
