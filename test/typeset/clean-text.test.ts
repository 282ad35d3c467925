import { describe, expect, it } from 'vitest';
import { cleanLine, cleanProse, splitLines } from '../../src/typeset/clean-text.ts';

describe('splitLines', () => {
  it.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\n\n', ['a', '']],
    ['\n', ['']],
    ['a\r\nb\rc', ['a', 'b', 'c']],
    ['a\vb\fc\u001cd\u001de\u001ef\u0085g\u2028h\u2029i', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']],
    ['a\u001fb', ['a\u001fb']],
  ])('[S1-25] cuts %j as Python does', (text, lines) => {
    expect(splitLines(text)).toEqual(lines);
  });
});

describe('cleanLine', () => {
  it('composes, makes every space a plain one and takes out what has no shape', () => {
    expect(cleanLine('e\u0301\tx\u2003y\u3000z\u00ad\ufeff\u0000\u007f')).toBe('é x y z');
  });

  it('leaves no-break spaces, runs of spaces and joiners', () => {
    expect(cleanLine('5\u00a0€  👨\u200d👩')).toBe('5\u00a0€  👨\u200d👩');
  });
});

describe('cleanProse', () => {
  it('[S1-25] joins words by one space and trims', () => {
    expect(cleanProse('  a \t b\u00a0c  ')).toBe('a b\u00a0c');
  });
});
