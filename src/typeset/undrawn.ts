import type { Undrawn } from './document.ts';

const MAX_LISTED = 50;

/** Counts what could not be drawn while one document is set. */
export interface UndrawnTally {
  readonly add: (codePoint: number) => void;
  /** Undefined when nothing was added. */
  readonly sum: () => Undrawn | undefined;
}

export function createUndrawnTally(): UndrawnTally {
  const seen = new Set<number>();
  let count = 0;
  return {
    add: (codePoint) => {
      seen.add(codePoint);
      count += 1;
    },
    sum: () =>
      count === 0
        ? undefined
        : {
            count,
            characters: [...seen]
              .toSorted((a, b) => a - b)
              .slice(0, MAX_LISTED)
              .map(formatCodePoint),
          },
  };
}

function formatCodePoint(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}
