/** What a column's cells ask for, in points without padding. */
export interface ColumnNeed {
  /** Of its widest word. */
  readonly leastPt: number;
  /** Of its widest line, were there no limit; not below `leastPt`. */
  readonly wishedPt: number;
}

/**
 * Shares a width among columns, all of it. Where all wishes fit, the rest goes in proportion to them. Otherwise narrow
 * columns get their wish and the wide ones the same each, unless that breaks a word: then each gets what its widest
 * word needs, the narrow ones first, and the rest goes in proportion to what is missing.
 */
export function shareWidth(needs: readonly ColumnNeed[], widthPt: number): number[] {
  const wishes = needs.map(({ wishedPt }) => wishedPt);
  if (sum(wishes) <= widthPt) return addInProportion(wishes, wishes, widthPt);
  const fair = pour(wishes, widthPt);
  if (needs.every(({ leastPt }, index) => leastPt <= (fair[index] ?? 0))) return fair;
  const least = pour(
    needs.map(({ leastPt }) => leastPt),
    widthPt,
  );
  const missing = wishes.map((wish, index) => Math.max(0, wish - (least[index] ?? 0)));
  return addInProportion(least, missing, widthPt);
}

/** Gives each what it asks for or, where that is too much, the same as all others that ask for too much. */
function pour(asked: readonly number[], total: number): number[] {
  const given = asked.map(() => 0);
  const order = asked.map((_part, index) => index).toSorted((a, b) => (asked[a] ?? 0) - (asked[b] ?? 0));
  let left = total;
  for (const [position, index] of order.entries()) {
    const part = Math.min(asked[index] ?? 0, left / (order.length - position));
    given[index] = part;
    left -= part;
  }
  return given;
}

function addInProportion(parts: readonly number[], weights: readonly number[], total: number): number[] {
  const rest = total - sum(parts);
  const weight = sum(weights);
  return parts.map((part, index) =>
    weight === 0 ? part + rest / parts.length : part + (rest * (weights[index] ?? 0)) / weight,
  );
}

function sum(parts: readonly number[]): number {
  return parts.reduce((total, part) => total + part, 0);
}
