/** The flat id that a model sees. ASCII, compared byte for byte, never folded. */
export const NAME_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$';

/** A version; the word `latest` in any case is none, so nothing can float. */
export const VERSION_PATTERN = '^[0-9A-Za-z][0-9A-Za-z.+-]{0,63}$';

const NAME = new RegExp(NAME_PATTERN, 'u');
const VERSION = new RegExp(VERSION_PATTERN, 'u');

/** An exact tool: written `name@version`. */
export interface Ref {
  readonly name: string;
  readonly version: string;
}

export function isName(text: string): boolean {
  return NAME.test(text);
}

export function isVersion(text: string): boolean {
  return VERSION.test(text) && text.toLowerCase() !== 'latest';
}

export function formatRef(ref: Ref): string {
  return `${ref.name}@${ref.version}`;
}

/** `name@version` taken apart, or undefined when it is not exactly that. */
export function parseRef(text: string): Ref | undefined {
  const at = text.indexOf('@');
  if (at < 0) return undefined;
  const ref = { name: text.slice(0, at), version: text.slice(at + 1) };
  return isName(ref.name) && isVersion(ref.version) ? ref : undefined;
}
