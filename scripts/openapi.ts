/**
 * Writes openapi/openapi.json from the routes and the shipped policy; with `--check` it only compares, and fails on a
 * difference. The environment is left out, so that the file is the same everywhere.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { compose } from '../src/compose.ts';
import { createLog } from '../src/compose/create-log.ts';
import { readVersion } from '../src/compose/read-version.ts';
import { checkConfig } from '../src/config.ts';
import { createApiKey } from '../src/core/api-key.ts';

const file = fileURLToPath(new URL('../openapi/openapi.json', import.meta.url));

const reading = checkConfig({}, { dotEnvPath: '' });
const service = await compose(reading, {
  log: createLog({ logLevel: 'silent', auditSync: false }),
  version: readVersion(),
  operatorKey: createApiKey(),
});
const answer = await service.server.inject({ url: '/openapi.json', headers: { host: 'localhost' } });
await service.close();
const text = `${JSON.stringify(answer.json(), null, 2)}\n`;

if (!process.argv.includes('--check')) {
  await writeFile(file, text);
} else if ((await readFile(file, 'utf8')) !== text) {
  process.stderr.write(
    'openapi/openapi.json is not what the routes say; run `npx tsx scripts/openapi.ts`.\n',
  );
  process.exitCode = 1;
}
