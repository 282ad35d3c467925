/** The largest of these, at least 0. Math.max takes as many arguments as the stack holds, and a table may have more rows. */
export function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}
