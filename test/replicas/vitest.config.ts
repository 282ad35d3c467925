import { defineConfig } from 'vitest/config';

/** `npm run test:replicas`: real brokers in processes of their own, apart from the tests that run side by side. */
export default defineConfig({
  test: {
    include: ['test/replicas/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
