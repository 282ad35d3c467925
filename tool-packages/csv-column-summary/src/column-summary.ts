/** Beyond this many different values a column is not counted value by value. */
const MAX_DISTINCT = 10_000;
const TOP_VALUES = 5;
const SHOWN_CHARACTERS = 60;
const MISSING = new Set(['', 'na', 'n/a', 'null', 'none', 'nan', '-']);
const DATE = /^\d{4}-\d{2}(?:-\d{2}(?:[T ]\d{2}:\d{2}.*)?)?$/u;

export interface ColumnSummary {
  readonly name: string;
  readonly type: 'number' | 'date' | 'text' | 'empty';
  /** Cells that hold a value. */
  readonly count: number;
  readonly missing: number;
  /** A lower bound when `distinct_capped`. */
  readonly distinct: number;
  readonly distinct_capped?: true;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly mean?: number;
  /** Of the sample (n - 1). */
  readonly standard_deviation?: number;
  readonly sum?: number;
  readonly top_values?: readonly { readonly value: string; readonly count: number }[];
}

/** Takes the cells of one column, in constant memory. */
export interface ColumnCounter {
  readonly add: (cell: string) => void;
  readonly finish: () => ColumnSummary;
}

export function isMissing(cell: string): boolean {
  return MISSING.has(cell.trim().toLowerCase());
}

/** The number that a cell holds, or undefined. Plain decimal notation, with an exponent if need be. */
export function toNumber(cell: string): number | undefined {
  const text = cell.trim();
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/u.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

export function createColumnCounter(name: string): ColumnCounter {
  const counts = { present: 0, missing: 0, numbers: 0, dates: 0 };
  const values = new Map<string, number>();
  const numbers = createNumberCounter();
  const text = { min: '', max: '' };
  let capped = false;
  const add = (raw: string): void => {
    if (isMissing(raw)) {
      counts.missing += 1;
      return;
    }
    const cell = raw.trim();
    if (counts.present === 0 || cell < text.min) text.min = cell;
    if (counts.present === 0 || cell > text.max) text.max = cell;
    counts.present += 1;
    const number = toNumber(cell);
    if (number !== undefined) {
      counts.numbers += 1;
      numbers.add(number);
    } else if (DATE.test(cell)) counts.dates += 1;
    const seen = values.get(cell);
    if (seen !== undefined || values.size < MAX_DISTINCT) values.set(cell, (seen ?? 0) + 1);
    else capped = true;
  };
  const finish = (): ColumnSummary => {
    const { present, missing } = counts;
    const common = {
      count: present,
      missing,
      distinct: values.size,
      ...(capped ? { distinct_capped: true as const } : {}),
    };
    if (present === 0) return { name, type: 'empty', ...common };
    if (counts.numbers === present) return { name, type: 'number', ...common, ...numbers.finish() };
    if (counts.dates === present) return { name, type: 'date', ...common, min: text.min, max: text.max };
    return { name, type: 'text', ...common, ...(capped ? {} : { top_values: findTop(values) }) };
  };
  return { add, finish };
}

/** Mean and deviation in one pass (Welford), which loses no digits to a large mean. */
function createNumberCounter() {
  let [count, mean, squares, sum, min, max] = [0, 0, 0, 0, Infinity, -Infinity];
  const add = (value: number): void => {
    count += 1;
    sum += value;
    const away = value - mean;
    mean += away / count;
    squares += away * (value - mean);
    min = Math.min(min, value);
    max = Math.max(max, value);
  };
  const finish = () => ({
    min,
    max,
    mean: round(mean),
    sum: round(sum),
    ...(count > 1 ? { standard_deviation: round(Math.sqrt(squares / (count - 1))) } : {}),
  });
  return { add, finish };
}

function findTop(values: ReadonlyMap<string, number>) {
  return [...values]
    .toSorted(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .slice(0, TOP_VALUES)
    .map(([value, count]) => ({ value: Array.from(value).slice(0, SHOWN_CHARACTERS).join(''), count }));
}

/** Twelve digits: enough for any table, and none of the noise of binary fractions. */
function round(value: number): number {
  return Number(value.toPrecision(12));
}
