import type { ToolSpec } from '../../core/tool.ts';

/** Longest expression, in code points. */
export const MAX_EXPRESSION_CHARACTERS = 1000;

const DESCRIPTION = `Works out one arithmetic expression exactly and converts units.

Use when: a sum, percentage, power, root, logarithm, trigonometric value, average, factorial or unit conversion is needed, \
also when it looks easy: the answer is worked out with 64 digits, so 0.1 + 0.2 is 0.3 and 2^64 is shown whole.
Do not use for: dates and durations between dates (use date_math), currencies, equations with unknowns, calculus, matrices, text.

How to write it:
- Numbers with a decimal point and no thousands separators: 1234.5, 1.2e-3. Operators: + - * / ^ % ! and parentheses. × ÷ − are read too.
- Percent: 18% of 240, 240 + 18% (adds 18 percent of 240), 17 % 5 or mod(17, 5) (remainder).
- Units: write them after the number and convert with "in" or "to": 5 ft in cm, 100 km/h to m/s, 20 degC in degF, 5 ft + 3 in, 1 GiB in MB. \
Angles are radians unless they carry deg: sin(30 deg); asin(0.5) rad in deg.
- Functions: abs sqrt cbrt nthRoot pow exp log(x) log(x, base) ln log10 log2 round(x, decimals) floor ceil fix mod sign sin cos tan asin acos atan atan2 \
sinh cosh tanh hypot min max sum mean median factorial combinations permutations gcd lcm. Constants: pi e tau phi. \
One comparison may stand alone: 3 ft > 90 cm.

Limits: 1000 characters, parentheses 50 deep, results between 10^-10000 and 10^10000, factorials up to 1000!, real numbers only. \
There are no variables, definitions, lists, strings or several statements.`;

/** The spec of `calculate@1`. */
export const CALCULATOR_SPEC: ToolSpec = {
  name: 'calculate',
  version: '1',
  kind: 'tool',
  origin: 'builtin',
  summary: 'Works out one arithmetic expression exactly, with percentages, functions and unit conversion.',
  description: DESCRIPTION,
  lane: 'worker',
  limits: { timeoutMs: 5000, maxArgumentBytes: 8192 },
  triggers: ['calculate', 'how much is', 'percent of', 'convert units', 'square root', 'average'],
  inputSchema: {
    type: 'object',
    properties: {
      expression: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_EXPRESSION_CHARACTERS,
        description: 'One expression, such as "18% of 240", "5 ft in cm" or "sqrt(2) * 10^3".',
      },
      precision: {
        type: 'integer',
        minimum: 1,
        maximum: 30,
        description:
          'Significant digits of the answer. Leave it out for the usual: whole where the answer ends within 30 digits, else 15.',
      },
    },
    required: ['expression'],
    additionalProperties: false,
  },
  examples: [
    { input: 'What is 18 percent of 240?', arguments: { expression: '18% of 240' } },
    { input: 'How many centimetres are five feet?', arguments: { expression: '5 ft in cm' } },
    { input: 'A third, to four digits.', arguments: { expression: '1 / 3', precision: 4 } },
    { input: 'What is 20 degrees Celsius in Fahrenheit?', arguments: { expression: '20 degC in degF' } },
  ],
  returns: {
    type: 'object',
    description:
      'The answer: {"result": "152.4 cm", "value": 152.4, "unit": "cm"}. Read `result`; it is exact unless `rounded` stands there.',
    properties: {
      result: {
        type: 'string',
        description: 'The answer as text, with its unit; "true" or "false" for a comparison.',
      },
      value: {
        type: 'number',
        description: 'The answer as a number; absent for a comparison and where a double cannot hold it.',
      },
      unit: { type: 'string', description: 'The unit; absent when there is none.' },
      rounded: {
        type: 'boolean',
        description: 'true when `result` shows fewer digits than were worked out; else absent.',
      },
    },
  },
  errors: [
    {
      code: 'INVALID_INPUT',
      description: 'The expression cannot be read, or has no real value within the limits.',
      resolution: 'Write it as `message` and `resolution` say, then call again.',
    },
    {
      code: 'TIMEOUT',
      description: 'The calculation did not end in time.',
      resolution: 'Use smaller numbers or fewer steps.',
    },
  ],
};
