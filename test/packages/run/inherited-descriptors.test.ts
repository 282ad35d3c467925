import { spawn, type StdioOptions } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { openSync, closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { hasPython, ISOLATIONS } from './sandboxes-here.ts';

/** A service that runs one package, started by somebody who left a descriptor open. */
const SERVICE = `
import { createRunner } from '${resolve('src/packages/run/runner.ts')}';
import { detectIsolation } from '${resolve('src/packages/run/detect-isolation.ts')}';
import { zooPackage } from '${resolve('test/packages/run/zoo-package.ts')}';
const [workRoot, strongest] = process.argv.slice(2);
const runner = await createRunner({ isolation: await detectIsolation({ strongest }), workRoot, log: () => {} });
const asked = { service_pid: 1, service_file: '/x', secret: 'x', port: 1 };
const { result } = await runner.run({ ...zooPackage('looks-around'), argv: ['look', JSON.stringify(asked)] });
console.log(result.stdout.head.toString());
await runner.close();
`;

describe.skipIf(!hasPython).each(ISOLATIONS)(
  'descriptors that the service inherited, at the level $level',
  ({ level }) => {
    it('are empty in a package', async () => {
      const root = await mkdtemp(join(tmpdir(), 'inherited-'));
      const [program, secret] = [join(root, 'service.mts'), join(root, 'secret.txt')];
      await writeFile(program, SERVICE);
      await writeFile(secret, 'secret');
      const held = openSync(secret, 'r');
      const ignored = Array.from({ length: 37 }, () => 'ignore' as const);
      const stdio: StdioOptions = ['ignore', 'pipe', 'inherit', ...ignored, held];
      const child = spawn(process.execPath, ['--import', 'tsx', program, join(root, 'work'), level], {
        stdio,
      });
      let printed = '';
      child.stdout?.setEncoding('utf8').on('data', (piece: string) => (printed += piece));
      await new Promise((done) => child.once('close', done));
      closeSync(held);
      expect(await readFile(secret, 'utf8')).toBe('secret');
      const { fds, open_files: files } = JSON.parse(printed) as { fds: number[]; open_files: string[] };
      expect(fds).toContain(40);
      expect(files).not.toContain(secret);
      expect(files).toContain('/dev/null');
      await rm(root, { recursive: true });
    });
  },
);
