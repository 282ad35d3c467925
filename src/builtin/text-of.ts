/** An argument that its schema has as a text, once the schema was checked; anything else is an empty one. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
