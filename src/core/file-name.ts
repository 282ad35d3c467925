const UNSAFE = /[/\\\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;
const MAX_BYTES = 255;

/** Why a text cannot be a bare file name, as the end of a sentence; undefined when it can. */
export function findFileNameFault(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..') return 'is empty or a dot';
  if (UNSAFE.test(name)) return 'has a separator or a control character';
  return Buffer.byteLength(name) > MAX_BYTES ? `is longer than ${MAX_BYTES} bytes` : undefined;
}

const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/u;

/** `type/subtype` in lower case, without parameters. */
export function isMediaType(text: string): boolean {
  return MEDIA_TYPE.test(text);
}
