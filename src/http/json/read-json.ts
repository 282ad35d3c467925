import { printParseErrorCode, visit } from 'jsonc-parser';

import { BrokerError } from '../../core/broker-error.ts';
import type { JsonValue } from '../../core/json.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { findJsonFault, type JsonFault } from './find-json-fault.ts';
import { MAX_JSON_DEPTH, scanShape } from './scan-shape.ts';

/** What the text is, for messages, and where its root stands in the body. */
export interface JsonSource {
  /** As the start of a sentence: `The body`. */
  readonly what: string;
  /** JSON pointer put before every path: '' for a body. */
  readonly at: string;
}

const BODY: JsonSource = { what: 'The body', at: '' };

/** A request body as JSON. Throws INVALID_INPUT, saying where, for all that `readJsonText` refuses and for bytes that are no UTF-8. */
export function readJsonBody(bytes: Buffer): JsonValue {
  const decoded = decodeUtf8(bytes);
  if (decoded.ok) return readJsonText(decoded.text, BODY);
  throw new BrokerError('INVALID_INPUT', `The body is not UTF-8 at byte ${decoded.byteOffset}.`, {
    resolution: 'Encode the body as UTF-8, then call again.',
  });
}

/**
 * JSON text as the value that JSON.parse gives, and only where that value is what the text says: see
 * `findJsonFault`. Depth is looked at before anything recurses. Throws INVALID_INPUT with a pointer, line and column.
 */
export function readJsonText(text: string, source: JsonSource): JsonValue {
  const shape = scanShape(text);
  if (shape.tooDeepAt >= 0) {
    const message = `arrays and objects are nested deeper than ${MAX_JSON_DEPTH} levels`;
    throw refuse({ path: '', ...placeOf(text, shape.tooDeepAt), message }, source);
  }
  const value = parse(text, source);
  // Each key that stands twice is one key fewer in the value than in the text.
  if (shape.needsFullCheck || countKeys(value) !== shape.keyCount) {
    const fault = findJsonFault(text);
    if (fault !== undefined) throw refuse(fault, source);
  }
  return value;
}

function parse(text: string, source: JsonSource): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw refuse(findSyntaxFault(text), source);
  }
}

function countKeys(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) count += countKeys(item);
    return count;
  }
  for (const inner of Object.values(value)) count += 1 + countKeys(inner);
  return count;
}

/** The parser's own words differ between Node versions and quote the text; these do neither. */
function findSyntaxFault(text: string): JsonFault {
  if (text.charCodeAt(0) === 0xfeff) {
    return { path: '', line: 1, column: 1, message: 'it starts with a byte order mark; send it without' };
  }
  if (text.trim() === '') return { path: '', line: 1, column: 1, message: 'it is empty' };
  let fault: JsonFault | undefined;
  visit(
    text,
    {
      onError: (...[code, , , line, column]) => {
        fault ??= {
          path: '',
          line: line + 1,
          column: column + 1,
          message: `it is not JSON: ${wordsOf(printParseErrorCode(code))}`,
        };
      },
    },
    { disallowComments: true, allowTrailingComma: false },
  );
  return fault ?? { path: '', line: 1, column: 1, message: 'it is not JSON' };
}

/** `PropertyNameExpected` as `property name expected`. */
function wordsOf(code: string): string {
  return code.replaceAll(/(?<=[a-z])[A-Z]/gu, (letter) => ` ${letter}`).toLowerCase();
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/u);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function refuse(fault: JsonFault, { what, at }: JsonSource): BrokerError {
  const path = at + fault.path;
  const where = `line ${fault.line}, column ${fault.column}${path === '' ? '' : ` (${path})`}`;
  return new BrokerError('INVALID_INPUT', `${what} cannot be taken at ${where}: ${fault.message}.`, {
    expectedFormat: `JSON in UTF-8, nested at most ${MAX_JSON_DEPTH} levels, each key once`,
    details: [{ path, message: fault.message }],
  });
}
