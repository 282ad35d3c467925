/** One measured line: two ways to do the same thing, in turn, and what came of it. */
export interface Row {
  readonly what: string;
  readonly ours: string;
  readonly bare: string;
  readonly ratio: number;
  /** `at least` or `at most` so much. */
  readonly aim: string;
  readonly met: boolean;
}

export function printRow(row: Row): void {
  const mark = row.met ? 'met' : 'MISSED';
  console.log(
    `${row.what}\n  ours ${row.ours} · bare ${row.bare} · ratio ${row.ratio.toFixed(2)} · aim ${row.aim} · ${mark}`,
  );
}
