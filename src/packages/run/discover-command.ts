import type { ErrorCode } from '../../core/error-codes.ts';
import { type JsonObject, type JsonValue, isJsonObject } from '../../core/json.ts';
import { quote } from '../../core/quote.ts';
import type { ToolErrorNote, ToolSpec } from '../../core/tool.ts';
import type { Checked } from '../../core/check-shape.ts';
import type { CommandDescription, PackageManifest } from '../contract.ts';
import { parseCommandDescription } from '../parse-contract.ts';

const MAX_SCHEMA_BYTES = 262_144;
const MAX_SCHEMA_DEPTH = 64;

/** The spec of one command, from its frozen description. Faults leave this command out and no other. */
export function buildCommandSpec(
  text: string,
  about: { readonly name: string; readonly manifest: PackageManifest; readonly digest: string },
): Checked<ToolSpec> {
  const parsed = parseCommandDescription(text, about.name);
  if (!parsed.ok) return parsed;
  const schema = parsed.value.params_json_schema as JsonObject;
  const fault = findSchemaFault(schema);
  if (fault !== undefined) return { ok: false, faults: [{ path: '/params_json_schema', message: fault }] };
  return { ok: true, value: toSpec(parsed.value, about) };
}

function toSpec(
  description: CommandDescription,
  { manifest, digest }: { readonly manifest: PackageManifest; readonly digest: string },
): ToolSpec {
  const { triggers, returns, errors, produces, examples } = description;
  const schema = description.params_json_schema as JsonObject;
  return {
    name: description.name,
    version: manifest.version,
    kind: 'tool',
    origin: `package:${manifest.name}`,
    summary: firstSentence(description.description),
    description: description.description,
    inputSchema: Object.hasOwn(schema, 'type') ? schema : { type: 'object', ...schema },
    lane: 'process',
    ...(triggers === undefined ? {} : { triggers }),
    ...(examples === undefined ? {} : { examples: examples as ToolSpec['examples'] & {} }),
    ...(returns === undefined ? {} : { returns: returns as ToolSpec['returns'] & {} }),
    ...(errors === undefined ? {} : { errors: errors.map(toErrorNote) }),
    ...(produces === undefined ? {} : { produces }),
    ...(manifest.timeout_ms === undefined ? {} : { limits: { timeoutMs: manifest.timeout_ms } }),
    digest,
  };
}

/** An author knows exit codes; whoever calls the command meets these. */
const CODES: ReadonlyMap<string, ErrorCode> = new Map([
  ['EXIT_1', 'TOOL_FAILED'],
  ['EXIT_2', 'TOOL_RETRY'],
  ['EXIT_3', 'TOOL_NEEDS_ACTION'],
]);

function toErrorNote({ code, ...rest }: ToolErrorNote): ToolErrorNote {
  return { code: CODES.get(code) ?? code, ...rest };
}

/** What makes a schema unfit before any validator sees it; whether it compiles is the registry's question. */
function findSchemaFault(schema: JsonObject): string | undefined {
  const size = Buffer.byteLength(JSON.stringify(schema));
  if (size > MAX_SCHEMA_BYTES) return `has ${size} bytes; at most ${MAX_SCHEMA_BYTES} are allowed`;
  const type = schema['type'];
  if (type !== undefined && type !== 'object') return `describes ${quote(type)}; arguments are an object`;
  return findNestedFault(schema, 0);
}

function findNestedFault(value: JsonValue, depth: number): string | undefined {
  if (depth > MAX_SCHEMA_DEPTH) return `is nested more than ${MAX_SCHEMA_DEPTH} deep`;
  if (isJsonObject(value)) {
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const target = value[keyword];
      if (typeof target === 'string' && !target.startsWith('#')) {
        return `has a ${keyword} that leaves the document: ${quote(target)}`;
      }
    }
  }
  const inner = typeof value === 'object' && value !== null ? Object.values(value) : [];
  for (const member of inner) {
    const fault = findNestedFault(member, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Up to the first full stop that ends a sentence, on one line. */
function firstSentence(description: string): string {
  const line =
    description
      .trim()
      .split(/\n\s*\n/u, 1)[0]
      ?.replaceAll(/\s+/gu, ' ') ?? '';
  const end = /[.!?](?=\s|$)/u.exec(line);
  const sentence = end === null ? line : line.slice(0, end.index + 1);
  return sentence.length > 240 ? `${sentence.slice(0, 239)}…` : sentence;
}
