import type { Static, TObject } from 'typebox';
import { Compile } from 'typebox/compile';

/** One command of a package. `run` gets arguments that satisfy `params`. */
export interface Command<Params extends TObject = TObject> {
  /** Letters, digits, "-" and "_"; what a model calls it by. */
  readonly name: string;
  /** What it does, when to use it and when not to, and its limits. The first sentence stands in lists. */
  readonly description: string;
  readonly params: Params;
  /** Situations in which to use it, each completing "When …". */
  readonly triggers?: readonly string[];
  readonly examples?: readonly { readonly input: string; readonly arguments: Static<Params> }[];
  readonly returns?: { readonly type: string; readonly description: string; readonly properties?: object };
  readonly errors?: readonly {
    readonly code: string;
    readonly description: string;
    readonly resolution: string;
  }[];
  /** Media types of the files it may leave in `out/`. */
  readonly produces?: readonly string[];
  /** A string is printed as it is, anything else as JSON. Throw ToolError, Retryable or NeedsAction to fail. */
  readonly run: (args: Static<Params>) => unknown;
}

/** Failed, and calling again will not help: exit code 1. The message is for the model that called. */
export class ToolError extends Error {
  readonly exitCode: number = 1;
}

/** Calling again may work, with a corrected argument or a little later: exit code 2. */
export class Retryable extends ToolError {
  override readonly exitCode = 2;
}

/** A person must do something first (a credential, a permission): exit code 3. Name exactly what. */
export class NeedsAction extends ToolError {
  override readonly exitCode = 3;
}

/** Gives `run` the type that `params` describes. */
export function defineCommand<Params extends TObject>(command: Command<Params>): Command {
  return command;
}

/**
 * Answers one start of the launcher and ends the process: no argument lists the commands, one describes that command,
 * two run it with the JSON given, or with the JSON on stdin when the second is `-`.
 */
export async function dispatch(
  commands: readonly Command[],
  argv: readonly string[] = process.argv.slice(2),
): Promise<void> {
  const { text, exitCode } = await answer(commands, argv);
  const stream = exitCode === 0 ? process.stdout : process.stderr;
  await new Promise<void>((resolve) => {
    stream.write(text === '' ? '' : `${text}\n`, () => resolve());
  });
  process.exit(exitCode);
}

interface Answer {
  readonly text: string;
  readonly exitCode: number;
}

/** What a start would print (on stdout when it ends with 0, else on stderr) and how it would end. */
export async function answer(commands: readonly Command[], argv: readonly string[]): Promise<Answer> {
  const [name, json] = argv;
  if (name === undefined) return printed(commands.map(({ name, description }) => ({ name, description })));
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) return { text: `unknown command: ${name}`, exitCode: 2 };
  if (json === undefined) {
    const { run: _, params, ...rest } = command;
    return printed({ ...rest, params_json_schema: params });
  }
  try {
    const args = readArguments(command, json === '-' ? await readStdin() : json);
    return printed(await command.run(args));
  } catch (error) {
    return toFailure(error);
  }
}

function printed(value: unknown): Answer {
  if (typeof value === 'string') return { text: value, exitCode: 0 };
  return { text: value === undefined ? '' : JSON.stringify(value), exitCode: 0 };
}

function toFailure(error: unknown): Answer {
  if (error instanceof ToolError) return { text: error.message, exitCode: error.exitCode };
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { text, exitCode: 1 };
}

async function readStdin(): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

function readArguments(command: Command, json: string): Static<TObject> {
  const value = parseJson(command, json);
  const validator = Compile(command.params);
  if (validator.Check(value)) return value;
  const faults = validator
    .Errors(value as never)
    .filter((fault) => fault.keyword !== 'additionalProperties')
    .slice(0, 10)
    .map((fault) => `- ${fault.instancePath || '(the arguments)'} ${sayFault(fault)}`);
  throw new Retryable(`${command.name}: the arguments are not valid.\n${faults.join('\n')}`);
}

function parseJson(command: Command, json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Retryable(`${command.name}: the arguments are not JSON (${reason}). Expected one JSON object.`);
  }
}

/** What a closed object does not name is checked against the schema `false`. */
function sayFault(fault: { readonly keyword: string; readonly message: string }): string {
  return fault.keyword === 'boolean' ? 'is not an argument of this command' : fault.message;
}
