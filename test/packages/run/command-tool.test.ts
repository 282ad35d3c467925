import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Tool, ToolResult } from '../../../src/core/tool.ts';
import type { DiscoveredPackage } from '../../../src/packages/discovered-package.ts';
import type { CommandToolParts } from '../../../src/packages/run/command-tool.ts';
import { COMMAND_LIMITS, commandTool, context, discovered } from './commands-here.ts';
import { hasPython, ISOLATIONS, openRunner, type TestRunner } from './sandboxes-here.ts';

describe.each(ISOLATIONS)('a command as a tool, at the level $level', (isolation) => {
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

  it('[S2-22] [S2.2.1-2] answers with exit code and data when it printed one JSON value, without stderr', async () => {
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
    ['1', 'TOOL_FAILED', /^$/u],
    ['2', 'TOOL_RETRY', /Calling again may work/u],
    ['3', 'TOOL_NEEDS_ACTION', /until a person has acted/u],
    ['124', 'TIMEOUT', /smaller request/u],
    ['126', 'TOOL_BROKEN', /publisher/u],
    ['127', 'TOOL_BROKEN', /publisher/u],
    ['137', 'TOOL_CRASHED', /memory/u],
    ['139', 'TOOL_CRASHED', /built for another machine/u],
    ['143', 'TOOL_CRASHED', /^$/u],
    ['200', 'TOOL_FAILED', /^$/u],
  ])('[S2.3-9] exit code %s is %s', async (code, outcome, resolution) => {
    const result = await call('exits', code);
    expect(result).toMatchObject({
      status: 'failed',
      code: outcome,
      message: expect.stringContaining(`reason ${code}`),
      output: { stdout: 'said before exit\n', stderr: `reason ${code}\n` },
    });
    expect(result.status === 'failed' ? (result.resolution ?? '') : 'ok').toMatch(resolution);
  });

  it('[S2.3-9] says an exit code or a signal, never both', async () => {
    const [failed, killed] = [(await call('exits', '1')).output, (await call('exits', '137')).output];
    expect(failed).toMatchObject({ exit_code: 1 });
    expect(failed).not.toHaveProperty('signal');
    expect(killed).toMatchObject({ signal: 'SIGKILL' });
    expect(killed).not.toHaveProperty('exit_code');
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
    ['sleeps-for-ever', { timeoutMs: 1_000, idleMs: 0 }, 'command was stopped at its time limit: started'],
    [
      'sleeps-for-ever',
      { timeoutMs: 0, idleMs: 1_000 },
      'command wrote nothing for 1 s and was stopped as hung: started',
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
    const result = await slow.execute({}, context([], 300));
    expect(result).toMatchObject({ status: 'failed', code: 'TIMEOUT' });
  });

  it('a launcher that does not start: TOOL_BROKEN, with the reason', async () => {
    await expect(call('missing-interpreter', 'command')).rejects.toMatchObject({
      code: 'TOOL_BROKEN',
      message: expect.stringMatching(
        /^command did not start: The launcher needs the interpreter .*, which this machine lacks\.$/u,
      ),
    });
  });

  it.skipIf(!hasPython)('too much memory: the failure names the limit', async () => {
    const result = await call('needs-memory-python', 'command', {
      limits: { ...COMMAND_LIMITS, memoryMb: 128 },
    });
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
});
