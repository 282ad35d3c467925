import { constants } from 'node:os';

/** How the program itself ended, whatever stood in front of it. */
export interface ProgramEnd {
  readonly exitCode?: number;
  readonly signal?: string;
  readonly startError?: string;
  /** For the operator: may name paths of this machine. */
  readonly startDetail?: string;
}

/** What Node and, inside namespaces, bubblewrap say. */
export interface RawEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What bubblewrap wrote on its status descriptor; undefined at the level `limits`. */
  readonly report: string | undefined;
  /** The start of stderr, where the programs in front say why they could not start the next one. */
  readonly stderr: string;
}

const SIGNAL_NAMES = new Map(
  Object.entries(constants.signals)
    .toReversed()
    .map(([name, number]) => [number, name]),
);

/** Codes 126 and 127 come from what starts programs; 129 to 192 are how a shell and bubblewrap spell a signal. */
export function readProgramEnd(raw: RawEnd): ProgramEnd {
  const code = raw.report === undefined ? raw.code : reportedCode(raw.report);
  if (code === undefined && raw.signal !== null) return { signal: raw.signal };
  if (code === undefined) {
    return { startError: 'The sandbox could not be set up.', startDetail: firstLine(raw.stderr) };
  }
  if (code === null) return { signal: raw.signal ?? 'SIGKILL' };
  if (code === 126 || code === 127) {
    const why = /^(?:prlimit|setpriv): failed to execute [^\n]*: ([^\n:]+)\n/u.exec(raw.stderr)?.[1];
    if (why !== undefined) {
      return { startError: `The launcher could not be started: ${why}.`, startDetail: firstLine(raw.stderr) };
    }
  }
  if (code > 128 && code <= 192) return { signal: signalName(code - 128) };
  return { exitCode: code };
}

/** `{ "exit-code": 3 }`, in the last of several JSON documents; absent when the program was never reached. */
function reportedCode(report: string): number | undefined {
  const code = /"exit-code": (\d+)/u.exec(report)?.[1];
  return code === undefined ? undefined : Number(code);
}

function signalName(number: number): string {
  return SIGNAL_NAMES.get(number) ?? `signal ${number}`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.trim() ?? '';
}
