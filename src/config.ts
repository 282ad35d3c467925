import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

import { readApiKey } from './config/api-key.ts';
import { errorCode } from './config/error-code.ts';
import { findSlips } from './config/find-slips.ts';
import {
  isLoopback,
  listOf,
  readBoolean,
  readHost,
  readHostPort,
  readOrigin,
  readPath,
  readSkillsDirs,
  type SkillsDir,
  wholeNumber,
} from './config/read-value.ts';
import { readStateUrl } from './config/state-url.ts';
import {
  type Environment,
  LOG_LEVELS,
  type LogLevel,
  MAX_BODY_BYTES,
  MAX_GRACE_MS,
  MAX_PORT,
  MIN_BODY_BYTES,
  sayWrong,
  VARIABLES,
  type VariableName,
} from './config/variables.ts';
import { BootError, type BootFault } from './core/boot-error.ts';
import { quote } from './core/quote.ts';
import type { ServerAddress } from './core/server-address.ts';

/** The environment, checked. */
export interface Config {
  readonly host: string;
  readonly hostIsLoopback: boolean;
  /** 0 takes any free port. */
  readonly port: number;
  /** Absolute. */
  readonly policyFile: string;
  /** Entries that stand in for the policy's `approve`; absent: BROKER_APPROVE is not set. */
  readonly approve?: readonly string[];
  /** The operator's own skills. */
  readonly skillsDirs: readonly SkillsDir[];
  /** The operator's own prebuilt packages. Absolute; absent: there are none. */
  readonly packagesDir?: string;
  /** Lower-case hex. The key itself is not kept. Absent: neither API_KEY nor API_KEY_FILE is set. */
  readonly apiKeySha256?: string;
  /** The store that several brokers share, with its password; absent: state is kept in this process. */
  readonly state?: ServerAddress;
  /** Lower-case `host` or `host:port`; empty: any, once keys are configured. */
  readonly allowedHosts: readonly string[];
  /** As browsers send them: `https://example.org`. */
  readonly allowedOrigins: readonly string[];
  readonly logLevel: LogLevel;
  readonly auditSync: boolean;
  readonly shutdownGraceMs: number;
  readonly maxBodyBytes: number;
  /** Names that look like a slip of ours, as sentences. */
  readonly warnings: readonly string[];
}

/** Found from dist/ and from src/ alike. */
const SHIPPED_POLICY = fileURLToPath(new URL('../policy.yaml', import.meta.url));

const MAX_DOT_ENV_BYTES = 1024 * 1024;

interface ReadOptions {
  /** Default: `.env` in the working directory. It need not exist. */
  readonly dotEnvPath?: string;
}

export interface ConfigReading {
  /** With the default for each variable that has a fault: to find more faults with, not to start with. */
  readonly config: Config;
  readonly faults: readonly BootFault[];
  /** As it was read, for the variables that the policy grants to packages by name. */
  readonly environment: Environment;
}

/** Reads the environment and `.env` once; the environment wins. Throws a BootError with every fault. */
export function readConfig(environment: Environment, options: ReadOptions = {}): Config {
  const { config, faults } = checkConfig(environment, options);
  if (faults.length > 0) throw new BootError(faults);
  return config;
}

/** As readConfig, for a caller that looks for other faults before it gives up. Never throws. */
export function checkConfig(environment: Environment, options: ReadOptions = {}): ConfigReading {
  const faults: BootFault[] = [];
  const dotEnv = readDotEnv(options.dotEnvPath ?? '.env', faults);
  const isSet = Object.entries(environment).filter(([, text]) => text !== undefined);
  const env: Environment = { ...dotEnv, ...Object.fromEntries(isSet) };
  const take = <Value>(name: VariableName, read: (text: string) => Value | undefined): Value => {
    const { fallback } = VARIABLES[name];
    const value = read(env[name] || fallback);
    if (value === undefined) faults.push(sayWrong(name, quote(env[name])));
    return value ?? (read(fallback) as Value);
  };
  const host = take('HOST', readHost);
  const approve = readApprove(env['BROKER_APPROVE'], faults);
  const apiKeySha256 = readApiKey(env, faults);
  const state = readStateUrl(env, faults);
  const packagesDir = env['PACKAGES_DIR'] ? take('PACKAGES_DIR', readPath) : undefined;
  const config: Config = {
    host,
    hostIsLoopback: isLoopback(host),
    port: take('PORT', wholeNumber(0, MAX_PORT)),
    policyFile: env['POLICY_FILE'] ? take('POLICY_FILE', readPath) : SHIPPED_POLICY,
    ...(approve && { approve }),
    ...(packagesDir !== undefined && { packagesDir }),
    skillsDirs: take('SKILLS_DIRS', readSkillsDirs),
    ...(apiKeySha256 !== undefined && { apiKeySha256 }),
    ...(state && { state }),
    allowedHosts: take('ALLOWED_HOSTS', listOf(readHostPort)),
    allowedOrigins: take('ALLOWED_ORIGINS', listOf(readOrigin)),
    logLevel: take('LOG_LEVEL', (text) => LOG_LEVELS.find((level) => level === text)),
    auditSync: take('AUDIT_SYNC', readBoolean),
    shutdownGraceMs: take('SHUTDOWN_GRACE_MS', wholeNumber(0, MAX_GRACE_MS)),
    maxBodyBytes: take('MAX_BODY_BYTES', wholeNumber(MIN_BODY_BYTES, MAX_BODY_BYTES)),
    warnings: findSlips(Object.keys(env)),
  };
  return { config, faults, environment: env };
}

/** A pipe would be waited for, for ever, and a device may have no end. */
function readDotEnv(path: string, faults: BootFault[]): Environment {
  const refuse = (message: string): Environment => {
    faults.push({ source: path, message, remedy: 'Make it a readable file, or take it away.' });
    return {};
  };
  try {
    const facts = statSync(path);
    if (!facts.isFile()) return refuse('It is not a plain file.');
    if (facts.size > MAX_DOT_ENV_BYTES) {
      return refuse(`It has ${facts.size} bytes; at most ${MAX_DOT_ENV_BYTES} are read.`);
    }
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    const code = errorCode(error);
    return code === 'ENOENT' ? {} : refuse(`The file cannot be read (${code}).`);
  }
}

/** Set and empty is a list with nothing in it, which approves nothing. */
function readApprove(text: string | undefined, faults: BootFault[]): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const entries = listOf((entry) => entry)(text);
  if (entries === undefined) faults.push(sayWrong('BROKER_APPROVE', quote(text)));
  return entries ?? [];
}
