import { spawnSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  answer,
  defineCommand,
  NeedsAction,
  Retryable,
  ToolError,
} from '../../tool-packages/sdk/typescript/src/tool-package-sdk.ts';

const add = defineCommand({
  name: 'add',
  description: 'Adds two numbers.',
  params: Type.Object({ a: Type.Number(), b: Type.Number() }, { additionalProperties: false }),
  produces: ['text/plain'],
  run: ({ a, b }) => ({ sum: a + b }),
});

function failing(error: unknown) {
  const params = Type.Object({});
  return defineCommand({
    name: 'fail',
    description: 'Fails.',
    params,
    run: () => {
      throw error;
    },
  });
}

describe('the TypeScript dispatcher', () => {
  it('[S2-32.1] [S2-27] lists its commands when it is given no argument', async () => {
    expect(await answer([add], [])).toEqual({
      text: '[{"name":"add","description":"Adds two numbers."}]',
      exitCode: 0,
    });
  });

  it('[S2-32.2] [S2-27] prints the schema of a known command', async () => {
    const { text, exitCode } = await answer([add], ['add']);

    expect(exitCode).toBe(0);
    expect(JSON.parse(text)).toEqual({
      name: 'add',
      description: 'Adds two numbers.',
      produces: ['text/plain'],
      params_json_schema: {
        type: 'object',
        additionalProperties: false,
        required: ['a', 'b'],
        properties: { a: { type: 'number' }, b: { type: 'number' } },
      },
    });
  });

  it('[S2-32.3] runs a command with arguments that were validated', async () => {
    expect(await answer([add], ['add', '{"a":2,"b":3.5}'])).toEqual({ text: '{"sum":5.5}', exitCode: 0 });
  });

  it.each([
    ['no JSON', '{a:1}', 'the arguments are not JSON'],
    ['an array', '[1,2]', '(the arguments) must be object'],
    ['a string where a number belongs', '{"a":"1","b":2}', '- /a must be number'],
    ['a missing argument', '{"a":1}', 'must have required properties b'],
    [
      'ten unknown arguments',
      `{"a":1,"b":2,${'cdefghijkl'
        .split('')
        .map((name) => `"${name}":1`)
        .join()}}`,
      '- /c is not an argument',
    ],
    ['an empty text', '', 'the arguments are not JSON'],
    ['an own __proto__', '{"a":1,"b":2,"__proto__":{"x":1}}', 'is not an argument of this command'],
  ])('[S2-32.4] [S2-26] answers %s with what is wrong and exit code 2', async (_title, json, message) => {
    const { text, exitCode } = await answer([add], ['add', json]);

    expect(exitCode).toBe(2);
    expect(text).toContain(message);
  });

  it('[S2-32.5] [S2-27] answers an unknown command with its name and exit code 2', async () => {
    expect(await answer([add], ['divide', '{}'])).toEqual({ text: 'unknown command: divide', exitCode: 2 });
    expect(await answer([add], ['constructor'])).toEqual({
      text: 'unknown command: constructor',
      exitCode: 2,
    });
  });

  it.each([
    [new ToolError('broken'), 'broken', 1],
    [new Retryable('later'), 'later', 2],
    [new NeedsAction('set KEY'), 'set KEY', 3],
    [new TypeError('oops'), 'TypeError: oops', 1],
    ['text', 'text', 1],
  ])('[S2.2.1-1] ends %o with its message and exit code', async (error, text, exitCode) => {
    expect(await answer([failing(error)], ['fail', '{}'])).toEqual({ text, exitCode });
  });

  it('prints a string as it is and nothing for nothing', async () => {
    const says = (value: unknown) =>
      defineCommand({ name: 'say', description: 'Says.', params: Type.Object({}), run: () => value });

    expect((await answer([says('plain')], ['say', '{}'])).text).toBe('plain');
    expect((await answer([says(undefined)], ['say', '{}'])).text).toBe('');
  });
});

/** Where both programs below are run from; outside, so that nothing is found by chance. */
interface Program {
  readonly name: string;
  readonly argv: readonly string[];
}

const work = resolve(`node_modules/.cache/sdk-test-${process.pid}`);
const python = ['/usr/bin/python3', 'python3'].find(
  (path) => spawnSync(path, ['-c', 'import pydantic']).status === 0,
);

/** Python is tried where a python3 has pydantic; `text-stats` tries it where uv is there. */
const PROGRAMS: readonly Program[] = [
  { name: 'TypeScript', argv: [process.execPath, '--import', 'tsx', join(work, 'program.mts')] },
  ...(python === undefined ? [] : [{ name: 'Python', argv: [python, join(work, 'program.py')] }]),
];

describe.each(PROGRAMS)('a launcher written with the $name SDK', ({ argv }) => {
  beforeAll(async () => {
    await mkdir(work, { recursive: true });
    await writeFile(join(work, 'program.mts'), TYPESCRIPT_PROGRAM);
    await writeFile(join(work, 'program.py'), PYTHON_PROGRAM);
  });

  afterAll(async () => rm(work, { recursive: true, force: true }));

  const run = (args: readonly string[], input = '') => {
    const [program = '', ...before] = argv;
    const env = {
      PATH: process.env['PATH'],
      PYTHONPATH: resolve('tool-packages/sdk/python'),
      PYTHONDONTWRITEBYTECODE: '1',
    };
    const { status, stdout, stderr } = spawnSync(program, [...before, ...args], {
      input,
      env,
      encoding: 'utf8',
      maxBuffer: 2 ** 24,
    });
    return { status, stdout: stdout.trim(), stderr: stderr.trim() };
  };

  it('[S2-27] answers on stdout, and its failures on stderr alone', () => {
    expect(JSON.parse(run([]).stdout)).toEqual([{ name: 'echo', description: 'Echoes.' }]);
    expect(JSON.parse(run(['echo']).stdout)).toMatchObject({
      name: 'echo',
      params_json_schema: { type: 'object' },
    });
    expect(JSON.parse(run(['echo', '{"text":"h\u00e9"}']).stdout)).toEqual({ text: 'h\u00e9' });
    expect(run(['nope'])).toEqual({ status: 2, stdout: '', stderr: 'unknown command: nope' });
    expect(run(['echo', '{"text":5}'])).toMatchObject({ status: 2, stdout: '' });
    expect(run(['echo', '{"text":5}']).stderr).toContain('/text');
  });

  it('reads the arguments from stdin when the second argument is a dash, also 5 MB of them', () => {
    const text = 'x'.repeat(5_000_000);

    const { status, stdout } = run(['echo', '-'], JSON.stringify({ text }));

    expect(status).toBe(0);
    expect(stdout).toHaveLength(text.length + 11 + Number(stdout.includes(': ')));
  });

  it.each([
    ['tool', 1],
    ['retry', 2],
    ['action', 3],
    ['bug', 1],
  ])('[S2.2.1-1] ends %s with exit code %i and a message on stderr', (text, status) => {
    const ended = run(['echo', JSON.stringify({ text })]);

    expect(ended).toMatchObject({ status, stdout: '' });
    expect(ended.stderr).toContain('because');
    expect(ended.stderr.split('\n')).toHaveLength(1);
  });
});

const TYPESCRIPT_PROGRAM = `import { Type } from 'typebox';
import { defineCommand, dispatch, NeedsAction, Retryable, ToolError } from '${resolve('tool-packages/sdk/typescript/src/tool-package-sdk.ts')}';
const echo = defineCommand({
  name: 'echo', description: 'Echoes.', params: Type.Object({ text: Type.String() }),
  run: ({ text }) => {
    if (text === 'tool') throw new ToolError('because');
    if (text === 'retry') throw new Retryable('because');
    if (text === 'action') throw new NeedsAction('because');
    if (text === 'bug') throw new RangeError('because');
    setInterval(() => {}, 1000);
    return { text };
  },
});
await dispatch([echo]);
`;

const PYTHON_PROGRAM = `from tool_package_sdk import Arguments, NeedsAction, Retryable, ToolError, Tools
tools = Tools()

class Echo(Arguments):
    text: str

@tools.command(description="Echoes.")
def echo(args: Echo) -> dict:
    if args.text == "tool": raise ToolError("because")
    if args.text == "retry": raise Retryable("because")
    if args.text == "action": raise NeedsAction("because")
    if args.text == "bug": raise ValueError("because")
    return {"text": args.text}

tools.main()
`;
