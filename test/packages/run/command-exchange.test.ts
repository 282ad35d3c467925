import { readFileSync } from 'node:fs';

import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ToolFile } from '../../../src/core/artifact.ts';
import type { Tool, ToolResult } from '../../../src/core/tool.ts';
import type { DiscoveredPackage } from '../../../src/packages/discovered-package.ts';
import { MAX_ARGUMENT_BYTES } from '../../../src/packages/run/argument-size.ts';
import { warmUpCommand, type CommandToolParts } from '../../../src/packages/run/command-tool.ts';
import { createWarmPool } from '../../../src/packages/run/warm-pool.ts';
import { commandTool, context, discovered } from './commands-here.ts';
import { hasPython, ISOLATIONS, openRunner, type TestRunner } from './sandboxes-here.ts';
import { zooPackage } from './zoo-package.ts';

describe.each(ISOLATIONS)(
  'what goes into a command and comes out as files, at the level $level',
  (isolation) => {
    let here: TestRunner;

    beforeAll(async () => {
      here = await openRunner(isolation);
    });
    afterAll(async () => here.close());

    const tool = (pkg: DiscoveredPackage, name?: string, parts: Partial<CommandToolParts> = {}): Tool =>
      commandTool(here.runner, pkg, { ...parts, ...(name === undefined ? {} : { name }) });
    const call = async (
      name: string,
      command: string,
      more: Partial<DiscoveredPackage> = {},
    ): Promise<ToolResult> => tool(discovered(name, more), command).execute({}, context());

    it('[S2.3-11] hands on regular files of out/ as one zip, and says why it leaves the others', async () => {
      const result = await call('leaves-odd-files', 'command');
      if (result.status !== 'ok') throw new Error(JSON.stringify(result));
      expect(Object.keys(unzipSync(result.file?.bytes ?? new Uint8Array()))).toEqual([
        'deep/er/also.txt',
        'good.txt',
      ]);
      const notes = result.output['file_notes'] as string[];
      for (const left of ['link-out', 'link-inside', 'root', 'pipe', 'second-name', 'ctrl']) {
        expect(notes).toContainEqual(expect.stringContaining(left));
      }
      expect(result.output).toMatchObject({ exit_code: 0, data: { rows: 1 } });
    });

    it('[S2.3-18.3] takes none of the files outside that its JSON names', async () => {
      const result = await call('names-odd-files', 'command');
      expect(result).toMatchObject({ status: 'ok', file: { name: 'chart.txt', mediaType: 'text/plain' } });
      expect(JSON.stringify(result)).not.toContain('root:');
      expect(result.output?.['file_notes']).toHaveLength(5);
    });

    it('more files than may be handed on: RESULT_TOO_LARGE', async () => {
      expect(await call('leaves-files', '65')).toMatchObject({ status: 'failed', code: 'RESULT_TOO_LARGE' });
    });

    it('says when a file is not what its name says', async () => {
      expect(await call('leaves-wrong-type', 'command')).toMatchObject({
        file: { name: 'picture.png', mediaType: 'application/octet-stream' },
        output: { file_notes: [expect.stringContaining('not what its name says')] },
      });
    });

    it.skipIf(!hasPython)('[S2.3-12] finds the files of the request in its working directory', async () => {
      const file: ToolFile = { name: 'data.csv', mediaType: 'text/csv', bytes: Buffer.from('a,b\n') };
      const echo = tool(discovered('warm-echo', { files: true }));
      const result = await echo.execute({}, context([file]));
      expect(result).toMatchObject({ output: { data: { files: ['data.csv', 'out'] } } });
    });

    it('refuses files when the package takes none', async () => {
      const file: ToolFile = { name: 'data.csv', mediaType: 'text/csv', bytes: Buffer.from('a,b\n') };
      const refused = tool(discovered('prints-json')).execute({}, context([file]));
      await expect(refused).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: 'files: command takes no files.',
      });
    });

    describe.skipIf(!hasPython)('[S2.3-7] the length of the arguments', () => {
      const jsonOf = (bytes: number, unit = 'x'): { text: string } => {
        const room = bytes - '{"text":""}'.length;
        return { text: unit.repeat(Math.ceil(room / Buffer.byteLength(unit))) };
      };

      it('131,071 bytes of JSON reach the command; one more is refused before anything starts', async () => {
        const printing = tool(discovered('prints-arguments'));
        const result = await printing.execute(jsonOf(MAX_ARGUMENT_BYTES), context());
        expect(result).toMatchObject({ output: { data: { bytes: 131_071 } } });
        const refused = printing.execute(jsonOf(MAX_ARGUMENT_BYTES + 1), context());
        await expect(refused).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
      });

      it('counts bytes, not characters', async () => {
        const printing = tool(discovered('prints-arguments'));
        await expect(printing.execute(jsonOf(131_073, '漢'), context())).rejects.toMatchObject({
          code: 'PAYLOAD_TOO_LARGE',
        });
      });

      it('is announced in the tool, and not limited so when they go to stdin', async () => {
        expect(tool(discovered('prints-arguments')).spec.limits).toEqual({ maxArgumentBytes: 131_071 });
        const byStdin = tool(discovered('warm-echo', { stdin: true }));
        expect(byStdin.spec.limits).toBeUndefined();
        const result = await byStdin.execute({ text: 'x'.repeat(200_000), n: 1 }, context());
        expect(result).toMatchObject({ status: 'ok' });
      });
    });

    it.skipIf(!hasPython)(
      'warmed up, it answers from the process that was waiting; without stdin nothing waits',
      async () => {
        const warmPool = createWarmPool({ runner: here.runner, maxWaiting: 2, maxWaitMs: 60_000 });
        const parts = { runner: here.runner, warmPool, grant: {}, maxArtifactBytes: 1_000_000 };
        const waiting = discovered('warm-echo', { stdin: true });
        const echo = tool(waiting, 'echo', parts);
        await warmUpCommand(waiting, { name: 'echo', spec: echo.spec }, parts);
        await warmUpCommand(discovered('warm-echo'), { name: 'other', spec: echo.spec }, parts);
        expect(warmPool.size()).toBe(1);
        const result = await echo.execute({ n: 1 }, context());
        await warmPool.close();
        expect(result).toMatchObject({ status: 'ok', output: { exit_code: 0, data: { got: { n: 1 } } } });
      },
    );

    it('never starts a process to be listed or described', () => {
      const gone = tool(discovered('is-not-there'));
      expect(gone.spec.name).toBe('command');
      expect(() => readFileSync(zooPackage('is-not-there').launcher)).toThrow(/ENOENT/u);
    });
  },
);
