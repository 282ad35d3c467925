import type { Reporter } from 'vitest/node';

/** Names each test that was skipped, so that nobody takes a green run for a whole one. */
export const nameSkipped: Reporter = {
  onTestRunEnd: (modules) => {
    const names = modules.flatMap((module) =>
      [...module.children.allTests('skipped')].map((test) => `${module.relativeModuleId} > ${test.fullName}`),
    );
    if (names.length > 0) process.stdout.write(`\nSkipped on this machine:\n${names.join('\n')}\n`);
  },
};
