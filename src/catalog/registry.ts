import { createHash } from 'node:crypto';

import { canonicalJson, type JsonObject } from '../core/json.ts';
import { quote } from '../core/quote.ts';
import { formatRef } from '../core/ref.ts';
import { isThirdParty, type Tool, type ToolLimits, type ToolSpec } from '../core/tool.ts';
import { createSchemaCompiler, type CompiledSchema } from './compile-schema.ts';
import type { CatalogEntry, Refusal } from './entry.ts';

export interface RegisteredTool {
  readonly entry: CatalogEntry;
  /** Things worth knowing that did not stop it, as sentences. */
  readonly findings: readonly string[];
}

export interface Registry {
  readonly tools: readonly RegisteredTool[];
  readonly refusals: readonly Refusal[];
}

/** Compiles every tool's schema once and freezes the tool. A tool whose schema is no good is refused; the rest live. */
export function buildRegistry(tools: readonly Tool[], defaults: ToolLimits): Registry {
  const compile = createSchemaCompiler();
  const registered: RegisteredTool[] = [];
  const refusals: Refusal[] = [];
  for (const tool of tools) {
    const spec = deepFreeze(tool.spec);
    const compiled = letToolCheck(spec, compile(spec.inputSchema));
    if (!compiled.ok) {
      refusals.push(refuse(spec, compiled.reason));
      continue;
    }
    const entry: CatalogEntry = Object.freeze({
      ref: formatRef(spec),
      spec,
      thirdParty: isThirdParty(spec.origin),
      digest: spec.digest ?? digestOf(spec),
      limits: Object.freeze({ ...defaults, ...spec.limits }),
      check: tool.check,
      execute: tool.execute,
      validate: compiled.validate,
    });
    registered.push({ entry, findings: compiled.findings });
  }
  return { tools: registered.toSorted(byOriginAndRef), refusals };
}

/**
 * A package checks its own arguments, so a pattern that only its language reads is no reason to refuse it: the tool's
 * own validation stands in for the whole schema. Taking single patterns out could turn a `not` or `oneOf` around.
 */
function letToolCheck(spec: ToolSpec, compiled: CompiledSchema): CompiledSchema {
  if (compiled.ok || compiled.foreignPatterns === undefined || !spec.origin.startsWith('package:')) {
    return compiled;
  }
  const patterns = compiled.foreignPatterns.map((pattern) => quote(pattern)).join(', ');
  const finding =
    `its input schema has patterns that cannot be read here (${patterns}); ` +
    'arguments go to the tool as they are, and its own validation stands in';
  return { ok: true, validate: () => [], findings: [finding] };
}

function refuse(spec: ToolSpec, reason: string): Refusal {
  const ref = formatRef(spec);
  return { origin: spec.origin, source: ref, ref, reason: `its input schema cannot be used: ${reason}` };
}

/** A built-in has no files to hash; what a caller can see of it is hashed instead. */
function digestOf(spec: ToolSpec): string {
  const visible = structuredClone(spec) as unknown as JsonObject;
  return `sha256:${createHash('sha256').update(canonicalJson(visible)).digest('hex')}`;
}

function byOriginAndRef(a: RegisteredTool, b: RegisteredTool): number {
  return compare(a.entry.spec.origin, b.entry.spec.origin) || compare(a.entry.ref, b.entry.ref);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
