/** Code points that a name keeps before an extension is added. */
export const MAX_FILE_NAME_CHARACTERS = 80;

const DROPPED = /[^\p{L}\p{N}_. -]/gu;

/**
 * A bare file name out of whatever a model wrote (seed 1, `_safe_filename`): letters, digits, `-`, `_` and `.` stay,
 * spaces become `-`, everything else goes, so that no path, control character or leading dot is left. Composed (NFC).
 * What leaves nothing, or is no text, gives `fallback`.
 */
export function safeFileName(value: unknown, fallback: string): string {
  if (typeof value !== 'string') return fallback;
  const kept = value.normalize('NFC').trim().replaceAll(DROPPED, '').trim().replaceAll(' ', '-');
  const cut = Array.from(kept).slice(0, MAX_FILE_NAME_CHARACTERS).join('');
  return cut.replaceAll(/^\.+|\.+$/gu, '') || fallback;
}

/** The same name, ending in `extension` (with its dot) in whatever case it has it already. */
export function withExtension(name: string, extension: string): string {
  return name.toLowerCase().endsWith(extension) ? name : `${name}${extension}`;
}
