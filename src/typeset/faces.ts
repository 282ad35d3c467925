import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { openFace, type Face } from './face.ts';

/** What decides about the face of a run. */
export interface FaceStyle {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly code: boolean;
}

/** The faces to try for a style, best first. */
export type Chain = readonly [Face, ...Face[]];

/** The faces of a thread. */
export interface Faces {
  readonly chain: (style: FaceStyle) => Chain;
}

const require = createRequire(import.meta.url);
const NOTO = join(dirname(require.resolve('@embedpdf/fonts-latin')), '..', 'fonts');
const DEJAVU = join(dirname(require.resolve('dejavu-fonts-ttf/package.json')), 'ttf');

const FILES = {
  regular: join(NOTO, 'NotoSans-Regular.ttf'),
  bold: join(NOTO, 'NotoSans-Bold.ttf'),
  italic: join(NOTO, 'NotoSans-Italic.ttf'),
  'bold-italic': join(NOTO, 'NotoSans-BoldItalic.ttf'),
  code: join(DEJAVU, 'DejaVuSansMono.ttf'),
  'code-bold': join(DEJAVU, 'DejaVuSansMono-Bold.ttf'),
  signs: join(DEJAVU, 'DejaVuSans.ttf'),
  'signs-bold': join(DEJAVU, 'DejaVuSans-Bold.ttf'),
} as const;

/**
 * Noto Sans for text (SIL Open Font License), DejaVu for code and for the arrows, signs and check marks that Noto Sans
 * leaves to other fonts (Bitstream Vera licence). Both come from their packages, as they are. A face is opened when a
 * text first needs it, which takes 10 to 150 ms.
 */
export function openFaces(): Faces {
  const open = new Map<string, Face>();
  const face = (name: keyof typeof FILES): Face => {
    const opened = open.get(name) ?? openFace(name, FILES[name]);
    open.set(name, opened);
    return opened;
  };
  const chainOf = ({ bold, italic, code }: FaceStyle): Chain => {
    const signs = face(bold ? 'signs-bold' : 'signs');
    if (code) return [face(bold ? 'code-bold' : 'code'), face(bold ? 'bold' : 'regular'), signs];
    if (italic) return [face(bold ? 'bold-italic' : 'italic'), signs];
    return [face(bold ? 'bold' : 'regular'), signs];
  };
  const chains = new WeakMap<FaceStyle, Chain>();
  return {
    chain: (style) => {
      const known = chains.get(style) ?? chainOf(style);
      chains.set(style, known);
      return known;
    },
  };
}
