import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeFileName, withExtension } from '../../src/builtin/safe-file-name.ts';

function pdfName(value: unknown): string {
  return withExtension(safeFileName(value, 'document'), '.pdf');
}

describe('safeFileName', () => {
  it.each([
    ['..', 'document.pdf'],
    ['../../etc/passwd', 'etcpasswd.pdf'],
    ['my report.PDF', 'my-report.PDF'],
    ['a/b\\c.txt', 'abc.txt.pdf'],
    ['.pdf', 'pdf.pdf'],
    ['résumé 1', 'résumé-1.pdf'],
    ['日本語', '日本語.pdf'],
    ['.hidden', 'hidden.pdf'],
    ['a.pdf.', 'a.pdf'],
    ['con', 'con.pdf'],
    ['-- --', '-----.pdf'],
    ['x'.repeat(200), `${'x'.repeat(80)}.pdf`],
    [7, 'document.pdf'],
    [undefined, 'document.pdf'],
    [null, 'document.pdf'],
    ['   ', 'document.pdf'],
    ['\u0000\r\n', 'document.pdf'],
    ['a\u202efdp.exe', 'afdp.exe.pdf'],
  ])('[S1-23] makes %j the name %j', (given, name) => {
    expect(pdfName(given)).toBe(name);
  });

  it('composes accents instead of dropping them', () => {
    expect(pdfName('re\u0301sume\u0301')).toBe('résumé.pdf');
  });

  it('[S1-22] keeps 80 characters and cuts the 81st, counted as code points', () => {
    expect(safeFileName('𝒳'.repeat(80), 'x')).toBe('𝒳'.repeat(80));
    expect(safeFileName('𝒳'.repeat(81), 'x')).toBe('𝒳'.repeat(80));
  });

  it('is a bare name of at most 84 characters, whatever it is given', () => {
    assert(
      property(string({ unit: 'binary', maxLength: 300 }), (value) => {
        const name = pdfName(value);
        expect(name).toMatch(/^[\p{L}\p{N}_-][\p{L}\p{N}_.-]*\.pdf$/iu);
        expect(Array.from(name).length).toBeLessThanOrEqual(84);
      }),
    );
  });
});
