import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';

import { fileTypeFromBuffer, supportedExtensions } from 'file-type';

import { TEXT_MEDIA_TYPES } from './text-media-types.ts';

const UNKNOWN = 'application/octet-stream';
/** Spellings of one format; the right side is what `file-type` answers with. */
const SAME_EXTENSION = new Map([
  ['jpeg', 'jpg'],
  ['tiff', 'tif'],
  ['mpeg', 'mpg'],
  ['tgz', 'gz'],
  ['midi', 'mid'],
]);

export interface SniffedType {
  readonly mediaType: string;
  /** The name promises something that the bytes are not. */
  readonly isMisnamed: boolean;
}

/** What a file is: by its bytes, and by its name only among formats that bytes do not tell apart. */
export async function mediaTypeOf(name: string, bytes: Uint8Array): Promise<SniffedType> {
  const written = extname(name).slice(1).toLowerCase();
  const extension = SAME_EXTENSION.get(written) ?? written;
  const textType = TEXT_MEDIA_TYPES.get(extension);
  const sniffed = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (textType !== undefined && isTextLike(bytes, sniffed?.mime)) {
    return { mediaType: textType, isMisnamed: false };
  }
  const isKnown = textType !== undefined || supportedExtensions.has(extension);
  return { mediaType: sniffed?.mime ?? UNKNOWN, isMisnamed: isKnown && sniffed?.ext !== extension };
}

/** Markup and calendars are recognised as what they are, and are text all the same. */
function isTextLike(bytes: Uint8Array, sniffed: string | undefined): boolean {
  if (sniffed !== undefined && !/^text\/|[/+](?:xml|json)$/u.test(sniffed)) return false;
  return isUtf8(bytes) && !bytes.includes(0);
}
