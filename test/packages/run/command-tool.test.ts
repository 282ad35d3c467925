import { readFileSync } from 'node:fs';

import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ToolFile } from '../../../src/core/artifact.ts';
import { createShelf } from '../../../src/core/shelf.ts';
import type { ExecuteContext, Tool, ToolResult } from '../../../src/core/tool.ts';
import type { DiscoveredPackage } from '../../../src/packages/discovered-package.ts';
import { MAX_ARGUMENT_BYTES } from '../../../src/packages/run/argument-size.ts';
import { createCommandTool, type CommandToolParts } from '../../../src/packages/run/command-tool.ts';
import { hasPython, ISOLATIONS, openRunner, type TestRunner } from './sandboxes-here.ts';
import { zooPackage } from './zoo-package.ts';

const LIMITS = { timeoutMs: 10_000, idleMs: 10_000 };

function discovered(name: string, more: Partial<DiscoveredPackage> = {}): DiscoveredPackage {
  const { launcher, packageDir } = zooPackage(name);
  return {
    name,
    version: '1',
    directory: packageDir,
    launcher,
    stdin: false,
    files: false,
    hosts: [],
    limits: LIMITS,
    digest: `sha256:${'0'.repeat(64)}`,
    commands: [],
    ...more,
  };
}

describe.each(ISOLATIONS)('a command as a tool, at the level $level', (isolation) => {
  let here: TestRunner;

  beforeAll(async () => {
    here = await openRunner(isolation);
  });
  afterAll(async () => here.close());

  /** The command's name is the first argument of the launcher. */
  function tool(pkg: DiscoveredPackage, name = 'command', parts: Partial<CommandToolParts> = {}): Tool {
    const spec: Tool['spec'] = {
      name,
      version: '1',
      kind: 'tool',
      origin: `package:${pkg.name}`,
      summary: 'Tries something.',
      description: 'Tries something.',
      inputSchema: { type: 'object' },
      lane: 'process',
    };
    return createCommandTool(
      pkg,
      { name, spec },
      { runner: here.runner, grant: {}, maxArtifactBytes: 1_000_000, ...parts },
    );
  }

  const context = (files: readonly ToolFile[] = []): ExecuteContext & { files: readonly ToolFile[] } => ({
    signal: new AbortController().signal,
    deadline: performance.now() + 10_000,
    shelf: createShelf([]),
    log: () => {},
    files,
  });

  const call = async (
    name: string,
    command: string,
    more: Partial<DiscoveredPackage> = {},
  ): Promise<ToolResult> => tool(discovered(name, more), command).execute({}, context());

  it.skipIf(!hasPython)(
    '[S2-17] is started with exactly three arguments: launcher, command, JSON',
    async () => {
      const args = { text: '--version $(id) ; rm -rf / \n"@file', list: [1, { deep: true }] };
      const result = await tool(discovered('prints-arguments'), 'summarise').execute(args, context());
      expect(result).toMatchObject({
        status: 'ok',
        output: { data: { count: 3, argv: ['summarise', JSON.stringify(args)] } },
      });
    },
  );

  it('[S2-22] answers with exit code and data when it printed one JSON value, without stderr', async () => {
    expect(await call('prints-json', 'command')).toEqual({
      status: 'ok',
      output: { exit_code: 0, data: { rows: 3 } },
    });
  });

  it('[S2-32.15] answers with exit code and text when it printed anything else', async () => {
    expect(await call('banner-before-json', 'command')).toEqual({
      status: 'ok',
      output: { exit_code: 0, stdout: 'Welcome to example 1.0\n{"rows": 3}\n' },
    });
    expect(await call('no-newline', 'command')).toEqual({
      status: 'ok',
      output: { exit_code: 0, stdout: 'no line end' },
    });
  });

  it('marks text that was not UTF-8, and takes control sequences out', async () => {
    expect(await call('bad-utf8', 'command')).toEqual({
      status: 'ok',
      output: { exit_code: 0, stdout: 'caf\uFFFD and \uFFFD\uFFFD end\n', utf8_repaired: true },
    });
    expect(await call('prints-control-sequences', 'command')).toEqual({
      status: 'ok',
      output: { exit_code: 0, stdout: 'red plainlink bell backspace\nnextend\n' },
    });
  });

  it('[S2.3-10] cuts long text to its head and tail, and marks it', async () => {
    const result = await call('prints-lines', '5000');
    expect(result).toMatchObject({ status: 'ok', output: { truncated: true } });
    const { stdout } = result.output as { stdout: string };
    expect(Array.from(stdout).length).toBeLessThanOrEqual(30_000);
    expect(stdout).toMatch(
      /^line 1 of the output\n[\s\S]*\[[\d,]+ characters left out here\]\n[\s\S]*line 5000 of the output\n$/u,
    );
  });

  it.each([
    ['1', 'TOOL_FAILED', undefined],
    ['2', 'TOOL_RETRY', /Calling again may work/u],
    ['3', 'TOOL_NEEDS_ACTION', /until a person has acted/u],
    ['124', 'TIMEOUT', /smaller request/u],
    ['126', 'TOOL_BROKEN', /publisher/u],
    ['127', 'TOOL_BROKEN', /publisher/u],
    ['137', 'TOOL_CRASHED', /memory/u],
    ['139', 'TOOL_CRASHED', /built for another machine/u],
    ['143', 'TOOL_CRASHED', undefined],
    ['200', 'TOOL_FAILED', undefined],
  ])('[S2.3-9] exit code %s is %s', async (code, outcome, resolution) => {
    const result = await call('exits', code);
    const isSignal = ['137', '139', '143'].includes(code);
    expect(result).toMatchObject({
      status: 'failed',
      code: outcome,
      message: expect.stringContaining(`reason ${code}`),
      output: {
        stdout: 'said before exit\n',
        stderr: `reason ${code}\n`,
        ...(isSignal ? { signal: expect.stringMatching(/^SIG/u) } : { exit_code: Number(code) }),
      },
    });
    if (isSignal) expect(result.output).not.toHaveProperty('exit_code');
    if (resolution === undefined) expect(result).not.toHaveProperty('resolution');
    else expect(result).toMatchObject({ resolution: expect.stringMatching(resolution) });
  });

  it('a failure keeps the JSON that was printed with it', async () => {
    expect(await call('fails-with-json', 'command')).toMatchObject({
      status: 'failed',
      code: 'TOOL_FAILED',
      message: 'command ended with exit code 1: no such column: price',
      output: { exit_code: 1, data: { error: 'no such column' }, stderr: 'no such column: price\n' },
    });
  });

  it.each([
    ['sleeps-for-ever', { timeoutMs: 300, idleMs: 0 }, 'command was stopped at its time limit: started'],
    [
      'sleeps-for-ever',
      { timeoutMs: 0, idleMs: 300 },
      'command wrote nothing for 0.3 s and was stopped as hung: started',
    ],
  ])('%s, with %j: TIMEOUT, with what it wrote until then', async (name, limits, message) => {
    const result = await call(name, 'command', { limits });
    expect(result).toMatchObject({
      status: 'failed',
      code: 'TIMEOUT',
      message,
      output: { stdout: 'started\n' },
    });
    expect(result.output).not.toHaveProperty('exit_code');
  });

  it('the deadline of the call comes before the limit of the command', async () => {
    const slow = tool(discovered('sleeps-for-ever'));
    const result = await slow.execute({}, { ...context(), deadline: performance.now() + 300 });
    expect(result).toMatchObject({ status: 'failed', code: 'TIMEOUT' });
  });

  it('a launcher that does not start: TOOL_BROKEN, with the reason', async () => {
    expect(await call('missing-interpreter', 'command')).toMatchObject({
      status: 'failed',
      code: 'TOOL_BROKEN',
      message: 'command did not start: The launcher could not be started: No such file or directory.',
    });
  });

  it.skipIf(!hasPython)('too much memory: the failure names the limit', async () => {
    const result = await call('needs-memory-python', 'command', { limits: { ...LIMITS, memoryMb: 128 } });
    expect(result).toMatchObject({
      status: 'failed',
      code: 'TOOL_FAILED',
      resolution: expect.stringContaining('its 128 MB of memory'),
    });
  });

  it('output without end: RESULT_TOO_LARGE, with the start of it', async () => {
    const flood = tool(discovered('floods-for-ever'), 'command', { limits: { maxOutputBytes: 1_000_000 } });
    expect(await flood.execute({}, context())).toMatchObject({
      status: 'failed',
      code: 'RESULT_TOO_LARGE',
      output: { stdout: expect.stringMatching(/^y\ny\n/u), truncated: true },
    });
  });

  it('a full disk: RESULT_TOO_LARGE', async () => {
    const full = tool(discovered('fills-disk'), 'many-files', { limits: { workDirBytes: 4 * 1024 * 1024 } });
    expect(await full.execute({}, context())).toMatchObject({ status: 'failed', code: 'RESULT_TOO_LARGE' });
  });

  it('[S2.3-11] hands on regular files of out/ as one zip, and says why it leaves the others', async () => {
    const result = await call('leaves-odd-files', 'command');
    if (result.status !== 'ok') throw new Error(JSON.stringify(result));
    expect(Object.keys(unzipSync(result.file?.bytes ?? new Uint8Array()))).toEqual([
      'deep/er/also.txt',
      'good.txt',
    ]);
    const notes = result.output['file_notes'] as string[];
    for (const left of ['link-out', 'link-inside', 'root', 'pipe', 'second-name', 'ctrl']) {
      expect(notes.filter((note) => note.includes(left)).length, left).toBeGreaterThan(0);
    }
    expect(result.output).toMatchObject({ exit_code: 0, data: { rows: 1 } });
  });

  it('takes none of the files outside that its JSON names', async () => {
    const result = await call('names-odd-files', 'command');
    expect(result).toMatchObject({ status: 'ok', file: { name: 'chart.txt', mediaType: 'text/plain' } });
    expect(JSON.stringify(result)).not.toContain('root:');
    expect((result.output?.['file_notes'] as string[]).length).toBe(5);
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

  it('never starts a process to be listed or described', () => {
    const gone = tool(discovered('is-not-there'));
    expect(gone.spec.name).toBe('command');
    expect(() => readFileSync(zooPackage('is-not-there').launcher)).toThrow(/ENOENT/u);
  });
});
