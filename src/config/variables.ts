import type { BootFault } from '../core/boot-error.ts';

/** Variables as the process has them; a name that is absent is undefined. */
export type Environment = Readonly<Record<string, string | undefined>>;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

interface Variable {
  /** What counts when it is not set, as one would write it; '' where leaving it out means something of its own. */
  readonly fallback: string;
  /** Completes "… is not …". */
  readonly expected: string;
}

export const MAX_PORT = 65_535;
export const MAX_GRACE_MS = 600_000;
export const MIN_BODY_BYTES = 1024;
export const MAX_BODY_BYTES = 64 * 1024 * 1024;
export const MIN_KEY_CHARACTERS = 32;
const KEY_EXPECTED = `a key of at least ${MIN_KEY_CHARACTERS} visible ASCII characters`;

const STATE_EXPECTED =
  'an address such as redis://:password@host:6379/0 (rediss:// with TLS), its password percent-encoded';

/** Every variable that is read. `.env.example` lists the same ones with the same defaults; a test compares them. */
export const VARIABLES = {
  HOST: { fallback: '127.0.0.1', expected: 'an IP address or host name' },
  PORT: { fallback: '8080', expected: `a whole number from 0 (any free port) to ${MAX_PORT}` },
  POLICY_FILE: { fallback: 'policy.yaml', expected: 'the path of a file' },
  BROKER_APPROVE: { fallback: '', expected: 'a list of refs or local with one comma between two' },
  SKILLS_DIRS: {
    fallback: '',
    expected: 'a list of label=directory with commas between, each label a name of its own',
  },
  PACKAGES_DIR: { fallback: '', expected: 'the path of a directory' },
  API_KEY: { fallback: '', expected: KEY_EXPECTED },
  API_KEY_FILE: { fallback: '', expected: `the path of a file that holds ${KEY_EXPECTED}` },
  STATE_URL: { fallback: '', expected: STATE_EXPECTED },
  STATE_URL_FILE: { fallback: '', expected: `the path of a file that holds ${STATE_EXPECTED}` },
  ALLOWED_HOSTS: {
    fallback: '',
    expected: 'a list of hosts such as broker.example.org:8080 with commas between',
  },
  ALLOWED_ORIGINS: {
    fallback: '',
    expected: 'a list of origins such as https://example.org with commas between',
  },
  LOG_LEVEL: { fallback: 'info', expected: `one of ${LOG_LEVELS.join(', ')}` },
  AUDIT_SYNC: { fallback: 'false', expected: 'true or false' },
  SHUTDOWN_GRACE_MS: {
    fallback: '10000',
    expected: `a whole number of milliseconds from 0 to ${MAX_GRACE_MS}`,
  },
  MAX_BODY_BYTES: {
    fallback: '1048576',
    expected: `a whole number of bytes from ${MIN_BODY_BYTES} to ${MAX_BODY_BYTES}`,
  },
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof VARIABLES;

/** `received` is quoted already; for a secret it says the length alone. */
export function sayWrong(name: VariableName, received: string): BootFault {
  const { expected, fallback } = VARIABLES[name];
  const remedy =
    fallback === '' ? 'Correct it or leave it out.' : `Correct it, or leave it out for ${fallback}.`;
  return { source: name, message: `${received} is not ${expected}.`, remedy };
}
