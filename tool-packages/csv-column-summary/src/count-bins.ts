const MAX_BINS = 40;

export interface Bin {
  /** The range, from (inclusive) to (exclusive, but for the last). */
  readonly label: string;
  readonly count: number;
}

/** Counts values in ranges of one width: 1, 2 or 5 times a power of ten, near the number that Sturges' rule asks for. */
export function countBins(values: readonly number[]): Bin[] {
  const [low, high] = values.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  );
  if (low === high) return [{ label: String(low), count: values.length }];
  const wanted = Math.min(MAX_BINS, Math.ceil(Math.log2(values.length)) + 1);
  const width = niceWidth((high - low) / wanted);
  // A range next to 0 or over the largest number has no such width.
  if (!(width > 1e-300 && width < Infinity)) return [{ label: `${low}–${high}`, count: values.length }];
  const start = Math.floor(low / width);
  const bins = Array.from({ length: Math.floor(high / width) - start + 1 }, () => 0);
  for (const value of values) {
    const index = Math.min(bins.length - 1, Math.floor(value / width) - start);
    bins[index] = (bins[index] ?? 0) + 1;
  }
  return bins.map((count, index) => ({
    label: `${say((start + index) * width)}–${say((start + index + 1) * width)}`,
    count,
  }));
}

function niceWidth(width: number): number {
  const power = 10 ** Math.floor(Math.log10(width));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= width * 0.999) ?? 10;
  return factor * power;
}

function say(value: number): string {
  return String(Number(value.toPrecision(6)));
}
