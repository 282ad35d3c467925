/** What a JSON Schema `format` asks for, with one value that has it. Source: JSON Schema 2020-12, validation 7.3. */
export interface FormatNote {
  readonly hint: string;
  readonly example: string;
}

const NOTES: ReadonlyMap<string, FormatNote> = new Map([
  ['date', { hint: 'YYYY-MM-DD', example: '2026-01-31' }],
  ['time', { hint: 'hh:mm:ss with Z or an offset', example: '13:45:00Z' }],
  ['iso-time', { hint: 'hh:mm:ss', example: '13:45:00' }],
  ['date-time', { hint: 'YYYY-MM-DDThh:mm:ss with Z or an offset', example: '2026-01-31T13:45:00Z' }],
  ['iso-date-time', { hint: 'YYYY-MM-DDThh:mm:ss', example: '2026-01-31T13:45:00' }],
  ['duration', { hint: 'ISO 8601, as in P1DT2H', example: 'P1D' }],
  ['email', { hint: 'name@host', example: 'ada@example.org' }],
  ['idn-email', { hint: 'name@host', example: 'ada@example.org' }],
  ['hostname', { hint: 'a host name', example: 'example.org' }],
  ['idn-hostname', { hint: 'a host name', example: 'example.org' }],
  ['ipv4', { hint: 'four numbers with dots', example: '192.0.2.1' }],
  ['ipv6', { hint: 'hexadecimal groups with colons', example: '2001:db8::1' }],
  ['uri', { hint: 'a whole address with its scheme', example: 'https://example.org/a' }],
  ['url', { hint: 'a whole address with its scheme', example: 'https://example.org/a' }],
  ['uri-reference', { hint: 'a whole or relative address', example: 'https://example.org/a' }],
  ['iri', { hint: 'a whole address with its scheme', example: 'https://example.org/a' }],
  ['iri-reference', { hint: 'a whole or relative address', example: 'https://example.org/a' }],
  ['uri-template', { hint: 'RFC 6570', example: 'https://example.org/{id}' }],
  ['uuid', { hint: '8-4-4-4-12 hexadecimal digits', example: '123e4567-e89b-12d3-a456-426614174000' }],
  ['json-pointer', { hint: 'RFC 6901', example: '/a/0' }],
  ['relative-json-pointer', { hint: 'a number, then a JSON pointer', example: '0/a' }],
  ['regex', { hint: 'a regular expression', example: '^a$' }],
  ['byte', { hint: 'base64', example: 'YQ==' }],
]);

/** Undefined for formats that are not checked, or not known. */
export function formatNote(format: string): FormatNote | undefined {
  return NOTES.get(format);
}
