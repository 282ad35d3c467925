import { detectIsolation } from '../../../src/packages/run/detect-isolation.ts';
import type { IsolationLevel } from '../../../src/packages/run/isolation.ts';
import { createRunner } from '../../../src/packages/run/runner.ts';
import { zooPackage } from './zoo-package.ts';

/** A service that starts a run which never ends, for the test that kills it: <work root> <level>. */
const [workRoot = '', strongest = 'namespaces'] = process.argv.slice(2);
const isolation = await detectIsolation({ strongest: strongest as IsolationLevel });
const runner = await createRunner({ isolation, workRoot, log: () => {} });
console.log('ready');
await runner.run({
  ...zooPackage('ignores-sigterm'),
  argv: [],
  limits: { timeoutMs: 60_000, idleMs: 0 },
});
