import type { ToolFailureCode } from '../../core/error-codes.ts';
import type { RunOutcome, RunResult } from './run-result.ts';
import type { RunLimits } from './run-spec.ts';
import { shapeOutput } from './shape-output.ts';

const MAX_EXCERPT_CHARACTERS = 600;

/** How a command failed, for a model that must decide what to do next. */
export interface CommandFailure {
  readonly code: ToolFailureCode;
  readonly message: string;
  /** Undefined: the code's own sentence says enough. */
  readonly resolution?: string;
}

/** Undefined when it succeeded: it ended by itself with 0. */
export function describeFailure(
  name: string,
  result: RunResult,
  limits: RunLimits,
): CommandFailure | undefined {
  if (result.outcome === 'exited' && result.exitCode === 0) return undefined;
  const { code, what, resolution } = CLASSIFIERS[result.outcome](result, limits);
  const excerpt = excerptOf(result);
  const message = `${name} ${what}${excerpt === '' ? '.' : `: ${excerpt}`}`;
  const advice = ranOutOfMemory(result) ? memoryAdvice(limits) : resolution;
  return { code, message, ...(advice === undefined ? {} : { resolution: advice }) };
}

interface Classified {
  readonly code: ToolFailureCode;
  /** Follows the command's name. */
  readonly what: string;
  readonly resolution?: string;
}

const CLASSIFIERS: Readonly<Record<RunOutcome, (result: RunResult, limits: RunLimits) => Classified>> = {
  exited: (result) => classifyExit(result.exitCode ?? 0),
  signalled: (result, limits) => classifySignal(result.signal ?? 'a signal', limits),
  timeout: () => ({
    code: 'TIMEOUT',
    what: 'was stopped at its time limit',
    resolution: 'A smaller request may finish in time. What it wrote until then is in `output`.',
  }),
  idle: (_result, limits) => ({
    code: 'TIMEOUT',
    what: `wrote nothing for ${limits.idleMs / 1_000} s and was stopped as hung`,
    resolution: 'A smaller request may finish. What it wrote until then is in `output`.',
  }),
  aborted: (result) => ({
    code: 'TIMEOUT',
    what: `was stopped before it was done (${result.abortReason ?? 'aborted'})`,
  }),
  output_limit: (_result, limits) => ({
    code: 'RESULT_TOO_LARGE',
    what: `wrote more than ${mebibytes(limits.maxOutputBytes)} MiB and was stopped`,
    resolution: 'Ask for less output, or for a file instead of text.',
  }),
  disk_limit: (_result, limits) => ({
    code: 'RESULT_TOO_LARGE',
    what: `used more than ${mebibytes(limits.workDirBytes)} MiB of disk, or too many files, and was stopped`,
    resolution: 'Ask for less data in one call.',
  }),
  not_started: (result) => ({
    code: 'TOOL_BROKEN',
    what: `did not start: ${(result.startError ?? 'no reason is known').replace(/\.$/u, '')}`,
  }),
};

/** The contract of design section 7. The broker itself never calls again. */
function classifyExit(exitCode: number): Classified {
  const what = `ended with exit code ${exitCode}`;
  switch (exitCode) {
    case 2:
      return {
        code: 'TOOL_RETRY',
        what,
        resolution: 'Calling again may work. If the message names a bad argument, correct that first.',
      };
    case 3:
      return {
        code: 'TOOL_NEEDS_ACTION',
        what,
        resolution:
          'The same call will fail again until a person has acted: tell the user exactly what is missing, by the name that the message gives.',
      };
    case 124:
      return {
        code: 'TIMEOUT',
        what: 'ended with exit code 124 (time limit)',
        resolution: 'A smaller request may finish in time.',
      };
    case 126:
    case 127:
      return {
        code: 'TOOL_BROKEN',
        what: `${what}: its program is not there or cannot be run`,
        resolution: 'Nothing in the call can mend this. Report the package to its publisher.',
      };
    default:
      return { code: 'TOOL_FAILED', what };
  }
}

function classifySignal(signal: string, limits: RunLimits): Classified {
  const what = `was ended by ${signal}`;
  const code = 'TOOL_CRASHED';
  if (signal === 'SIGKILL') return { code, what, resolution: memoryAdvice(limits) };
  if (signal === 'SIGSEGV' || signal === 'SIGILL' || signal === 'SIGBUS') {
    return {
      code,
      what,
      resolution:
        'The program is faulty, or was built for another machine. Report the package to its publisher.',
    };
  }
  return { code, what };
}

/** How the common runtimes say that an allocation failed. The limit itself sends no signal. */
const MEMORY_SIGNS =
  /MemoryError|Cannot allocate memory|[Oo]ut of memory|Array buffer allocation failed|std::bad_alloc|memory allocation of \d+ bytes failed|Cannot create a string longer/u;

function ranOutOfMemory(result: RunResult): boolean {
  if (result.outcome !== 'exited' && result.outcome !== 'signalled') return false;
  if (result.exitCode === 2 || result.exitCode === 3) return false;
  return MEMORY_SIGNS.test(shapeOutput(result.stderr).text);
}

function memoryAdvice(limits: RunLimits): string {
  return `It most likely needed more than its ${limits.memoryMb} MB of memory. Less data in one call usually works.`;
}

/** What the program says of its failure: on stderr, else on stdout. */
function excerptOf(result: RunResult): string {
  const said = shapeOutput(result.stderr, MAX_EXCERPT_CHARACTERS).text.trim();
  return said === '' ? shapeOutput(result.stdout, MAX_EXCERPT_CHARACTERS).text.trim() : said;
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
