import { BrokerError } from '../../core/broker-error.ts';

/** Linux: one argument, with its closing NUL, takes at most 32 pages (MAX_ARG_STRLEN). */
export const MAX_ARGUMENT_BYTES = 131_071;

/** Throws PAYLOAD_TOO_LARGE for what `spawn` would refuse with E2BIG. Counts bytes, not characters. */
export function checkArgumentSize(argv: readonly string[]): void {
  for (const argument of argv) {
    const bytes = Buffer.byteLength(argument);
    if (bytes <= MAX_ARGUMENT_BYTES) continue;
    throw new BrokerError(
      'PAYLOAD_TOO_LARGE',
      `arguments: ${bytes} bytes of JSON; this tool takes at most ${MAX_ARGUMENT_BYTES} bytes.`,
      { resolution: 'Send less in the arguments; put large contents into `files` if the tool takes them.' },
    );
  }
}
