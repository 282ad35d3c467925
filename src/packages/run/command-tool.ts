import type { ToolFile } from '../../core/artifact.ts';
import { BrokerError } from '../../core/broker-error.ts';
import type { JsonObject } from '../../core/json.ts';
import type { ExecuteContext, Tool, ToolResult, ToolSpec } from '../../core/tool.ts';
import type { DiscoveredCommand, DiscoveredPackage } from '../discovered-package.ts';
import { MAX_ARGUMENT_BYTES } from './argument-size.ts';
import { collectFiles, type CollectedFiles } from './collect-files.ts';
import { describeFailure } from './command-failure.ts';
import { commandOutput, readData } from './command-output.ts';
import type { Harvested, RunResult } from './run-result.ts';
import { DEFAULT_RUN_LIMITS, type CallSpec, type RunLimits, type StartSpec } from './run-spec.ts';
import type { Runner } from './runner.ts';
import type { WarmPool } from './warm-pool.ts';

/** What the operator gives this package. */
export interface PackageGrant {
  /** Environment variables and their values. */
  readonly env?: Readonly<Record<string, string>>;
  readonly hosts?: readonly string[];
}

export interface CommandToolParts {
  readonly runner: Runner;
  /** Absent: every call starts its own process. */
  readonly warmPool?: WarmPool;
  readonly grant: PackageGrant;
  /** The operator's; what the package asks for comes before them. */
  readonly limits?: Partial<RunLimits>;
  /** Raw bytes of the file that a call may answer with. */
  readonly maxArtifactBytes: number;
}

/** What is the same for every call of one command. */
interface PreparedCommand {
  readonly name: string;
  readonly start: StartSpec;
  readonly limits: RunLimits;
  readonly parts: CommandToolParts;
}

/**
 * One command of a package as a tool like any other. Throws INVALID_INPUT, PAYLOAD_TOO_LARGE, OVERLOADED or TOOL_BROKEN
 * when it did not start.
 */
export function createCommandTool(
  pkg: DiscoveredPackage,
  command: DiscoveredCommand,
  parts: CommandToolParts,
): Tool {
  const prepared = prepareCommand(pkg, command, parts);
  return {
    spec: { ...limitArguments(command.spec, pkg.stdin), ...(pkg.files && { takesFiles: true as const }) },
    execute: async (args: JsonObject, context): Promise<ToolResult> => {
      const { files } = context;
      if (files.length > 0 && !pkg.files) throw takesNoFiles(command.name);
      const json = JSON.stringify(args);
      const call = callSpec(prepared, context, files);
      const ended = await (pkg.stdin
        ? callByStdin(prepared, call, json)
        : callByArgument(prepared, call, json));
      if (ended.result.outcome === 'not_started') throw notStarted(prepared, ended.result, context);
      return toToolResult(prepared, ended);
    },
  };
}

/** Starts a process for the first call of a command that takes its arguments on stdin. */
export async function warmUpCommand(
  pkg: DiscoveredPackage,
  command: DiscoveredCommand,
  parts: CommandToolParts,
): Promise<void> {
  if (!pkg.stdin) return;
  const { start, name } = prepareCommand(pkg, command, parts);
  await parts.warmPool?.prepare(name, start);
}

function prepareCommand(
  pkg: DiscoveredPackage,
  command: DiscoveredCommand,
  parts: CommandToolParts,
): PreparedCommand {
  const limits: RunLimits = { ...DEFAULT_RUN_LIMITS, ...parts.limits, ...pkg.limits };
  const argv = pkg.stdin ? [command.name, '-'] : [command.name];
  const { launcher, directory: packageDir, pinned } = pkg;
  const start = { ...parts.grant, launcher, packageDir, pinned, argv, limits };
  return { name: command.name, start, limits, parts };
}

/** What does not fit into one argument is refused before the call waits for its turn. */
function limitArguments(spec: ToolSpec, byStdin: boolean): ToolSpec {
  if (byStdin) return spec;
  const wanted = spec.limits?.maxArgumentBytes ?? MAX_ARGUMENT_BYTES;
  return { ...spec, limits: { ...spec.limits, maxArgumentBytes: Math.min(wanted, MAX_ARGUMENT_BYTES) } };
}

type CommandCall = CallSpec<CollectedFiles | undefined> & { readonly limits: Partial<RunLimits> };

function callSpec(
  command: PreparedCommand,
  context: ExecuteContext,
  files: readonly ToolFile[],
): CommandCall {
  const { maxArtifactBytes } = command.parts;
  return {
    files,
    signal: context.signal,
    limits: { timeoutMs: timeLeftMs(command.limits.timeoutMs, context.deadline) },
    harvest: async (result, workDir) =>
      result.exitCode === 0 && result.outcome === 'exited'
        ? collectFiles({
            workDir,
            data: readData(result.stdout),
            zipName: `${command.name}.zip`,
            maxBytes: maxArtifactBytes,
          })
        : undefined,
  };
}

type Ended = Harvested<CollectedFiles | undefined>;

async function callByStdin(command: PreparedCommand, call: CommandCall, json: string): Promise<Ended> {
  const { warmPool, runner } = command.parts;
  const warmCall = { ...call, stdin: json };
  if (warmPool !== undefined) return warmPool.run(command.name, command.start, warmCall);
  return runner.run({ ...command.start, ...warmCall, limits: { ...command.limits, ...call.limits } });
}

async function callByArgument(command: PreparedCommand, call: CommandCall, json: string): Promise<Ended> {
  const { start, limits, parts } = command;
  return parts.runner.run({
    ...start,
    ...call,
    argv: [...start.argv, json],
    limits: { ...limits, ...call.limits },
  });
}

/** The deadline counts from admission, so that it may come before the command's own limit. */
function timeLeftMs(timeoutMs: number, deadline: number): number {
  const left = Math.max(1, Math.ceil(deadline - performance.now()));
  if (!Number.isFinite(left)) return timeoutMs;
  return timeoutMs === 0 ? left : Math.min(timeoutMs, left);
}

function toToolResult({ name, limits }: PreparedCommand, { result, harvest }: Ended): ToolResult {
  const failure = describeFailure(name, result, limits);
  const output = commandOutput(result, failure !== undefined);
  if (failure !== undefined) return { status: 'failed', ...failure, output };
  const notes = harvest?.notes ?? [];
  const noted = notes.length === 0 ? output : { ...output, file_notes: notes };
  if (harvest?.tooLarge !== undefined) {
    return { status: 'failed', code: 'RESULT_TOO_LARGE', message: harvest.tooLarge, output: noted };
  }
  return { status: 'ok', output: noted, ...(harvest?.file === undefined ? {} : { file: harvest.file }) };
}

function notStarted(
  { name, limits }: PreparedCommand,
  result: RunResult,
  context: ExecuteContext,
): BrokerError {
  const reason = [result.startError, result.startDetail].filter((part) => part !== undefined).join(' ');
  context.log('a package command did not start', { command: name, reason });
  const { message = '', resolution } = describeFailure(name, result, limits) ?? {};
  return new BrokerError('TOOL_BROKEN', message, { ...(resolution !== undefined && { resolution }) });
}

function takesNoFiles(name: string): BrokerError {
  return new BrokerError('INVALID_INPUT', `files: ${name} takes no files.`, {
    resolution: 'Leave `files` out, or call a tool whose description has `takes_files: true`.',
  });
}
