const FORM = /^[A-Za-z0-9+/]*={0,2}$/u;

/** Strict base64 (RFC 4648 section 4, padded, nothing else in between); undefined when the text is not that. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !FORM.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  // Stray bits in the last digit would be lost on the way.
  return bytes.toString('base64') === text ? bytes : undefined;
}
