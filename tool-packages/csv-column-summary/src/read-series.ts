import { Retryable } from 'tool-package-sdk';

import { isMissing, toNumber } from './column-summary.ts';
import { readCsv, type Delimiter } from './read-csv.ts';

const MAX_SERIES = 12;
const MAX_CATEGORIES = 200;
const MAX_POINTS = 20_000;

export type ChartKind = 'bar' | 'line' | 'scatter' | 'histogram';

export interface SeriesRequest {
  readonly csv: string;
  readonly delimiter?: Delimiter;
  readonly kind: ChartKind;
  readonly x?: string;
  readonly y: string;
  readonly group?: string;
  readonly combine?: 'sum' | 'mean';
}

export interface ChartData {
  /** Along the foot of bar and line charts, in the order of the file or of the alphabet for dates and numbers. */
  readonly categories: readonly string[];
  /** One value for each category, or [x, y] pairs for scatter, or bare values for a histogram. */
  readonly series: readonly {
    readonly name: string;
    readonly values: readonly (number | undefined)[];
    readonly points: readonly (readonly [number, number])[];
  }[];
  readonly drawn: number;
  readonly leftOut: number;
}

interface Cell {
  readonly sum: number;
  readonly count: number;
}

interface Gathered {
  readonly cells: Map<string, Cell>;
  readonly points: [number, number][];
  readonly values: number[];
}

/** Reads what a chart shows. Throws Retryable for columns that are not there, hold no numbers, or are too many to draw. */
export async function readSeries(request: SeriesRequest): Promise<ChartData> {
  refuseMismatch(request);
  const gathering = { request, groups: new Map<string, Gathered>(), categories: new Set<string>() };
  const counts = { drawn: 0, leftOut: 0 };
  let find = { x: -1, y: -1, group: -1 };
  await readCsv(request.csv, request, {
    onHeader: (columns) => {
      find = {
        x: indexOf(columns, request.x),
        y: indexOf(columns, request.y),
        group: indexOf(columns, request.group),
      };
    },
    onRecord: (cells) => {
      const added = addRecord(gathering, {
        x: cells[find.x] ?? '',
        y: toNumber(cells[find.y] ?? ''),
        group: find.group < 0 ? request.y : (cells[find.group] ?? '').trim() || '(none)',
      });
      counts[added ? 'drawn' : 'leftOut'] += 1;
      if (isDrawnRowByRow(request.kind) && counts.drawn > MAX_POINTS) refusePoints();
    },
  });
  if (counts.drawn === 0) refuseNoNumbers(request.y);
  return { ...finish(request, gathering.groups, gathering.categories), ...counts };
}

function refuseMismatch({ kind, x, group }: SeriesRequest): void {
  if (kind !== 'histogram' && x === undefined) {
    throw new Retryable(`A ${kind} chart needs "x", the column along its foot.`);
  }
  if (kind === 'histogram' && group !== undefined) {
    throw new Retryable('A histogram takes no "group"; leave it out.');
  }
}

function isDrawnRowByRow(kind: ChartKind): boolean {
  return kind === 'scatter' || kind === 'histogram';
}

function refusePoints(): never {
  throw new Retryable(
    `The file has more than ${MAX_POINTS} rows to draw one by one; use bar or line, which add rows up.`,
  );
}

function refuseNoNumbers(column: string): never {
  throw new Retryable(
    `No row can be drawn: choose a column of numbers for "y"; ${column} holds none beside "x".`,
  );
}

function indexOf(columns: readonly string[], name: string | undefined): number {
  if (name === undefined) return -1;
  const index = columns.indexOf(name);
  if (index < 0) {
    throw new Retryable(
      `There is no column ${JSON.stringify(name)}. Columns: ${columns.slice(0, 60).join(', ')}.`,
    );
  }
  return index;
}

function addRecord(
  into: {
    readonly request: SeriesRequest;
    readonly groups: Map<string, Gathered>;
    readonly categories: Set<string>;
  },
  row: { readonly x: string; readonly y: number | undefined; readonly group: string },
): boolean {
  const { request, groups, categories } = into;
  const x = toNumber(row.x);
  const needsX = request.kind !== 'histogram';
  if (row.y === undefined || (needsX && isMissing(row.x)) || (request.kind === 'scatter' && x === undefined))
    return false;
  const gathered: Gathered = groups.get(row.group) ?? newGroup();
  groups.set(row.group, gathered);
  if (groups.size > MAX_SERIES)
    throw new Retryable(`"group" has more than ${MAX_SERIES} different values; choose another column.`);
  if (request.kind === 'histogram') gathered.values.push(row.y);
  else if (request.kind === 'scatter') gathered.points.push([x ?? 0, row.y]);
  else {
    const category = row.x.trim();
    categories.add(category);
    if (categories.size > MAX_CATEGORIES)
      throw new Retryable(`"x" has more than ${MAX_CATEGORIES} different values; choose another column.`);
    const cell = gathered.cells.get(category) ?? { sum: 0, count: 0 };
    gathered.cells.set(category, { sum: cell.sum + row.y, count: cell.count + 1 });
  }
  return true;
}

function newGroup(): Gathered {
  return { cells: new Map<string, Cell>(), points: [], values: [] };
}

function finish(request: SeriesRequest, groups: ReadonlyMap<string, Gathered>, found: ReadonlySet<string>) {
  const categories = orderCategories([...found]);
  const combine = (cell: Cell | undefined): number | undefined => {
    if (cell === undefined) return undefined;
    return Number((request.combine === 'mean' ? cell.sum / cell.count : cell.sum).toPrecision(12));
  };
  const series = [...groups].map(([name, { cells, points, values }]) => ({
    name,
    values:
      request.kind === 'histogram' ? values : categories.map((category) => combine(cells.get(category))),
    points,
  }));
  return { categories, series };
}

/** Numbers and dates in their order; anything else as the file has it. */
function orderCategories(categories: string[]): string[] {
  if (categories.every((category) => toNumber(category) !== undefined)) {
    return categories.toSorted((a, b) => Number(a) - Number(b));
  }
  return categories.every((category) => /^\d{4}-\d{2}/u.test(category)) ? categories.toSorted() : categories;
}
