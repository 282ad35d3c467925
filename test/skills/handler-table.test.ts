import { describe, expect, it } from 'vitest';

import { HANDLERS } from './skill-dirs.ts';

describe('the table of handlers', () => {
  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', ''])(
    '[S1-12] has nothing under %s',
    (name) => {
      expect(HANDLERS.get(name)).toBeUndefined();
    },
  );
});
