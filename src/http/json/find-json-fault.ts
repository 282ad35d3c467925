import { visit, type ParseOptions } from 'jsonc-parser';

import { quote } from '../../core/quote.ts';

/** One thing that text in JSON says which cannot be taken as it stands. */
export interface JsonFault {
  /** JSON pointer (RFC 6901) to it. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

type Place = readonly [line: number, column: number];

/** An object or array that is open while the text is read. */
interface Frame {
  readonly keys: Set<string>;
  isObject: boolean;
  /** The key or index that is being read. */
  current: string | number;
}

const STRICT: ParseOptions = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };
const LONE_SURROGATE = /[\uD800-\uDFFF]/u;
const NUMBER = /^(-?)0*(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/iu;

/**
 * The first thing in the text that JSON.parse would silently change or drop: a key that stands twice, an integer that a
 * double cannot hold or that would not be written again with the same digits, a number out of range, an unpaired surrogate; or that aims at prototypes. Undefined when there is none.
 * The text must be JSON and not nested too deep (this recurses).
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const frames: Frame[] = [];
  let fault: JsonFault | undefined;
  const report = (message: string | undefined, [line, column]: Place): void => {
    if (message === undefined || fault !== undefined) return;
    fault = { path: pointerOf(frames), line: line + 1, column: column + 1, message };
  };
  const open = (isObject: boolean): boolean => {
    frames.push({ keys: new Set(), isObject, current: isObject ? '' : 0 });
    return fault === undefined;
  };
  visit(
    text,
    {
      onObjectBegin: () => open(true),
      onArrayBegin: () => open(false),
      onObjectEnd: () => void frames.pop(),
      onArrayEnd: () => void frames.pop(),
      onObjectProperty: (...[key, , , line, column]) => {
        const parent = frames.at(-2);
        const frame = frames.at(-1);
        if (frame === undefined) return;
        frame.current = key;
        report(findKeyFault(key, frame, parent), [line, column]);
        frame.keys.add(key);
      },
      onSeparator: (separator) => {
        const frame = frames.at(-1);
        if (separator === ',' && frame !== undefined && typeof frame.current === 'number') frame.current += 1;
      },
      onLiteralValue: (...[value, offset, length, line, column]) => {
        if (typeof value === 'number')
          report(findNumberFault(value, text.slice(offset, offset + length)), [line, column]);
        if (typeof value === 'string') report(findStringFault(value), [line, column]);
      },
    },
    STRICT,
  );
  return fault;
}

function findKeyFault(key: string, frame: Frame, parent: Frame | undefined): string | undefined {
  if (key === '__proto__') return 'the key "__proto__" is not taken';
  if (key === 'prototype' && parent?.isObject === true && parent.current === 'constructor') {
    return 'the key "prototype" under "constructor" is not taken';
  }
  if (frame.keys.has(key)) return `the key ${quote(key)} stands twice in one object; write it once`;
  return LONE_SURROGATE.test(key) ? `the key ${quote(key)} has an unpaired surrogate` : undefined;
}

function findNumberFault(value: number, written: string): string | undefined {
  if (!Number.isFinite(value)) return `the number ${quote(written)} is out of range; send it as a string`;
  const [, sign = '', whole = '', fraction = '', exponent] = NUMBER.exec(written) ?? [];
  const { digits, zeros } = trimZeros(whole + fraction, Number(exponent ?? 0) - fraction.length);
  if (digits === '') return undefined;
  if (value === 0) return `the number ${quote(written)} is too small to be told from 0; send it as a string`;
  if (zeros < 0) return undefined;
  // Finite and without needless zeros: at most 309 digits.
  const wanted = BigInt(sign + digits + '0'.repeat(zeros));
  // An exponent is how a double itself is written, 1e23 for one; it need only be written the same again.
  const kept = exponent === undefined ? [BigInt(value), printedInteger(value)] : [printedInteger(value)];
  const became = kept.find((got) => got !== wanted);
  if (became === undefined) return undefined;
  return `the integer ${quote(written)} cannot be held exactly (it would become ${became}); send it as a string`;
}

/** The digits without zeros at either end, and how many zeros follow them; negative where some stand after the point. */
function trimZeros(digits: string, zeros: number): { digits: string; zeros: number } {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return { digits: digits.slice(0, end).replace(/^0+/u, ''), zeros: zeros + digits.length - end };
}

/** The integer whose digits JSON.stringify writes: beyond 2^53 only as many as tell the double from its neighbours. */
function printedInteger(value: number): bigint {
  const [mantissa = '', exponent = '0'] = String(value).split('e+');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction.padEnd(Number(exponent), '0'));
}

function findStringFault(value: string): string | undefined {
  return LONE_SURROGATE.test(value) ? 'the string has an unpaired surrogate, which is no text' : undefined;
}

function pointerOf(frames: readonly Frame[]): string {
  return frames
    .map(({ current }) => `/${String(current).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
