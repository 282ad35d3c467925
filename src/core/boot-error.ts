/** One thing that is wrong at start-up, with all that an operator needs to mend it. */
export interface BootFault {
  /** The file or environment variable that is wrong. */
  readonly source: string;
  /** 1-based; absent where the source has no lines. */
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  /** What to do about it, as a sentence. */
  readonly remedy: string;
}

/** The process must not start. Carries every fault that was found, never just the first. */
export class BootError extends Error {
  readonly faults: readonly BootFault[];

  /** `notes` are sentences that help to find the cause; they are shown behind the faults. */
  constructor(faults: readonly BootFault[], notes: readonly string[] = []) {
    super([...faults.map(formatBootFault), ...notes].join('\n'));
    this.name = 'BootError';
    this.faults = faults;
  }
}

function formatBootFault(fault: BootFault): string {
  const place = [fault.source, fault.line, fault.column].filter((part) => part !== undefined).join(':');
  return `${place}: ${fault.message} ${fault.remedy}`;
}
