/** Characters read as another one of the same length, so that every position stays where the caller wrote it. */
export const READ_AS: ReadonlyMap<string, string> = new Map([
  ['×', '*'],
  ['·', '*'],
  ['⋅', '*'],
  ['∙', '*'],
  ['÷', '/'],
  ['−', '-'],
  ['–', '-'],
  ['µ', 'u'],
  ['μ', 'u'],
  ['\u00a0', ' '],
  ['\u202f', ' '],
  ['\u2009', ' '],
]);

/** How to write what a refused character was meant to say. */
export const CHARACTER_HINTS: ReadonlyMap<string, string> = new Map([
  [
    '"',
    'Leave quotation marks out: only numbers, units and functions can stand here; for feet and inches write 5 ft + 3 in.',
  ],
  [
    "'",
    'Leave quotation marks out: only numbers, units and functions can stand here; for feet and inches write 5 ft + 3 in.',
  ],
  [';', 'Send one expression a call, without a semicolon.'],
  ['[', 'There are no lists: write the values as arguments, such as max(1, 2) or mean(1, 2, 3).'],
  [']', 'There are no lists: write the values as arguments, such as max(1, 2) or mean(1, 2, 3).'],
  ['{', 'There are no objects; group with parentheses, such as (1 + 2) * 3.'],
  ['}', 'There are no objects; group with parentheses, such as (1 + 2) * 3.'],
  [':', 'There are no ranges; for a ratio write a division, such as 3 / 4.'],
  ['?', 'There are no conditions: send the calculation alone.'],
  ['|', 'For an absolute value write abs(-3).'],
  ['°', 'Write degC, degF or deg, such as 20 degC in degF or sin(30 deg).'],
  ['√', 'Write sqrt(2).'],
  ['²', 'Write powers with ^, such as m^2.'],
  ['³', 'Write powers with ^, such as m^3.'],
  ['½', 'Write 1/2.'],
  ['¼', 'Write 1/4.'],
  ['¾', 'Write 3/4.'],
  ['≤', 'Write <=.'],
  ['≥', 'Write >=.'],
  ['≠', 'Write !=.'],
  ['≈', 'Write ==.'],
  ['π', 'Write pi.'],
  ['τ', 'Write tau.'],
  ['φ', 'Write phi.'],
  ['Ω', 'Write ohm.'],
  ['‰', 'Write a division by 1000.'],
  ['$', 'There are no currencies: leave the sign out.'],
  ['€', 'There are no currencies: leave the sign out.'],
  ['£', 'There are no currencies: leave the sign out.'],
  ['¥', 'There are no currencies: leave the sign out.'],
  ['#', 'There are no comments: leave it out.'],
]);

/** For every other character. */
export const CHARACTER_HINT =
  'Use digits with a decimal point, + - * / ^ % ! ( ), comparisons, and the names of functions, constants and units.';
