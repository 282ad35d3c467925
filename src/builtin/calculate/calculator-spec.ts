import type { JsonObject } from '../../core/json.ts';
import type { ToolSpec } from '../../core/tool.ts';
import { createToolSchemaBuilder } from '../../describe/tool-schema-builder.ts';

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
- Functions: abs sqrt cbrt root(x, degree) pow exp log(x) log(x, base) ln log10 log2 round(x, decimals) floor ceil fix mod sign sin cos tan asin acos atan atan2 \
sinh cosh tanh hypot min max sum mean median factorial combinations permutations gcd lcm. Constants: pi e tau phi. \
One comparison may stand alone: 3 ft > 90 cm.

Limits: 1000 characters, parentheses 50 deep, results between 10^-10000 and 10^10000, factorials up to 1000!, real numbers only. \
There are no variables, definitions, lists, strings or several statements.`;

const RETURNED: JsonObject = {
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
};

/** The spec of `calculate@1`. */
export const CALCULATOR_SPEC: ToolSpec = {
  ...createToolSchemaBuilder('calculate')
    .setDescription(
      'Works out one arithmetic expression exactly, with percentages, functions and unit conversion.',
      DESCRIPTION,
    )
    .addTrigger('a number has to be worked out: a sum, product, share, root, power or average')
    .addTrigger('the user asks how much a percentage of an amount is')
    .addTrigger('a quantity has to be converted into another unit')
    .addParameter('expression', {
      type: 'string',
      description: 'One expression, such as "18% of 240", "5 ft in cm" or "sqrt(2) * 10^3".',
      required: true,
      schema: { minLength: 1, maxLength: MAX_EXPRESSION_CHARACTERS },
    })
    .addParameter('precision', {
      type: 'integer',
      description:
        'Significant digits of the answer. Leave it out for the usual: whole where the answer ends within 30 digits, else 15.',
      schema: { minimum: 1, maximum: 30 },
    })
    .addExample('What is 18 percent of 240?', { expression: '18% of 240' })
    .addExample('How many centimetres are five feet?', { expression: '5 ft in cm' })
    .addExample('A third, to four digits.', { expression: '1 / 3', precision: 4 })
    .addExample('What is 20 degrees Celsius in Fahrenheit?', { expression: '20 degC in degF' })
    .setReturns(
      'object',
      'The answer: {"result": "152.4 cm", "value": 152.4, "unit": "cm"}. Read `result`; it is exact unless `rounded` stands there.',
      RETURNED,
    )
    .addError(
      'INVALID_INPUT',
      'The expression cannot be read, or has no real value within the limits.',
      'Write it as `message` and `resolution` say, then call again.',
    )
    .addError('TIMEOUT', 'The calculation did not end in time.', 'Use smaller numbers or fewer steps.')
    .build(),
  version: '1',
  kind: 'tool',
  origin: 'builtin',
  lane: 'worker',
  limits: { timeoutMs: 5000, maxArgumentBytes: 8192 },
};
