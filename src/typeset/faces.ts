import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { openFace, type Face } from './face.ts';

/** What decides about the face of a run. */
export interface FaceStyle {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly code: boolean;
}

/** All faces of a thread. */
export interface Faces {
  readonly all: readonly Face[];
  /** The faces to try for a style, best first; never empty. */
  readonly chain: (style: FaceStyle) => readonly [Face, ...Face[]];
}

const require = createRequire(import.meta.url);
const NOTO = join(dirname(require.resolve('@embedpdf/fonts-latin')), '..', 'fonts');
const DEJAVU = join(dirname(require.resolve('dejavu-fonts-ttf/package.json')), 'ttf');

/**
 * Noto Sans for text (SIL Open Font License), DejaVu for code and for the arrows, signs and check marks that Noto Sans
 * leaves to other fonts (Bitstream Vera licence). Both come from their packages, as they are.
 */
export function openFaces(): Faces {
  const text = {
    regular: openFace('regular', join(NOTO, 'NotoSans-Regular.ttf')),
    bold: openFace('bold', join(NOTO, 'NotoSans-Bold.ttf')),
    italic: openFace('italic', join(NOTO, 'NotoSans-Italic.ttf')),
    boldItalic: openFace('bold-italic', join(NOTO, 'NotoSans-BoldItalic.ttf')),
  };
  const code = {
    regular: openFace('code', join(DEJAVU, 'DejaVuSansMono.ttf')),
    bold: openFace('code-bold', join(DEJAVU, 'DejaVuSansMono-Bold.ttf')),
  };
  const signs = {
    regular: openFace('signs', join(DEJAVU, 'DejaVuSans.ttf')),
    bold: openFace('signs-bold', join(DEJAVU, 'DejaVuSans-Bold.ttf')),
  };
  return {
    all: [...Object.values(text), ...Object.values(code), ...Object.values(signs)],
    chain: ({ bold, italic, code: isCode }) => {
      const weight = bold ? 'bold' : 'regular';
      const slanted = bold ? text.boldItalic : text.italic;
      const upright = text[weight];
      if (isCode) return [code[weight], upright, signs[weight]];
      return [italic ? slanted : upright, signs[weight]];
    },
  };
}
