import type { ToolSpec } from '../../core/tool.ts';
import { createToolSchemaBuilder } from '../../describe/tool-schema-builder.ts';
import { RETURNED } from './date-math-returns.ts';
import { UNITS } from './measure-difference.ts';

/** Longest text of a date: `+009999-12-31T23:59:59.123456789+18:00` has 38 characters. */
const MAX_DATE_CHARACTERS = 40;

/** More of a unit than the 19,998 years between the first and the last date. */
const MAX_AMOUNTS = {
  years: 20_000,
  months: 240_000,
  weeks: 1_050_000,
  days: 7_350_000,
  hours: 180_000_000,
  minutes: 11_000_000_000,
  seconds: 640_000_000_000,
} as const;

const DESCRIPTION = `Calculates with dates and times on the ISO calendar, exactly, in one call.

Use when: a date must be moved (due in 90 days, three months earlier), two dates compared (how many days until, how old), a weekday or week number \
found, a time carried into another zone, or today's date is needed (operation now).
Do not use for: plain arithmetic or converting hours to minutes (use calculate), working days and public holidays, calendars other than ISO, repeated events.

Operations and what each takes besides time_zone:
- add, subtract: date, duration. Years and months first (31 January + 1 month is the last day of February), then weeks and days, then exact hours, minutes, seconds.
- difference: date, end_date, unit (the largest unit of the answer, days when left out).
- weekday: date.
- now: nothing. The only operation that reads the clock.

Dates are ISO 8601: 2026-03-29, 2026-03-29T14:30 (on the clocks of time_zone) or 2026-03-29T14:30+02:00 and ...Z (that instant, shown in time_zone). \
A date without a time stays one unless hours, minutes or seconds come in; then it means the first moment of that day in time_zone.
Daylight saving: a day is a calendar day (23 to 25 hours), hours are exact. A time that the clocks skip is moved on by the gap; of one that comes twice \
the first is taken; notes say so.

Limits: years -9999 to 9999; duration amounts are whole and not negative; leap seconds are not counted.`;

const DURATION = {
  properties: Object.fromEntries(
    UNITS.map((unit) => [unit, { type: 'integer', minimum: 0, maximum: MAX_AMOUNTS[unit] }]),
  ),
  minProperties: 1,
  additionalProperties: false,
};

const DATE = { minLength: 1, maxLength: MAX_DATE_CHARACTERS };

/** The spec of `date_math@1`. */
export const DATE_MATH_SPEC: ToolSpec = {
  ...createToolSchemaBuilder('date_math')
    .setDescription(
      'Adds to and subtracts from dates, measures the time between them, and tells weekday, week and the current time in any zone.',
      DESCRIPTION,
    )
    .addTrigger('the user asks how many days, weeks or years lie between two dates')
    .addTrigger('a date has to be moved by days, weeks, months or years')
    .addTrigger('the user asks which weekday or which week of the year a date is')
    .addTrigger('a time has to be told in another time zone')
    .addTrigger('the date or the time of today is needed')
    .addParameter('operation', {
      type: 'string',
      description: 'What to do.',
      required: true,
      enum: ['add', 'subtract', 'difference', 'weekday', 'now'],
    })
    .addParameter('date', {
      type: 'string',
      description:
        'The date to start from: "2026-03-29", "2026-03-29T14:30" or "2026-03-29T14:30+02:00". For all but now.',
      schema: DATE,
    })
    .addParameter('end_date', {
      type: 'string',
      description: 'The second date, written like date. For difference only.',
      schema: DATE,
    })
    .addParameter('duration', {
      type: 'object',
      description:
        'How much to add or subtract, such as {"months": 1, "days": 3}. For add and subtract only.',
      schema: DURATION,
    })
    .addParameter('unit', {
      type: 'string',
      description: 'The largest unit of the answer; days when left out. For difference only.',
      enum: UNITS,
    })
    .addParameter('time_zone', {
      type: 'string',
      description: 'IANA name, such as "Europe/Berlin"; UTC when left out.',
      schema: { minLength: 1, maxLength: 64 },
    })
    .addExample('When is a payment due that is due one month after 31 January 2026?', {
      operation: 'add',
      date: '2026-01-31',
      duration: { months: 1 },
    })
    .addExample('How many days are there from 1 March to Christmas 2026?', {
      operation: 'difference',
      date: '2026-03-01',
      end_date: '2026-12-25',
    })
    .addExample('Which weekday is 29 February 2028?', { operation: 'weekday', date: '2028-02-29' })
    .addExample('What time is it in Tokyo?', { operation: 'now', time_zone: 'Asia/Tokyo' })
    .setReturns(
      'object',
      'add, subtract: {"result": "2026-02-28", "weekday": "Saturday", "notes": [...]}. now, and when a time comes in: also date, time, time_zone, utc. \
difference: {"result": "P299D", "direction": "later", "duration": {"days": 299}, "total": 299, "unit": "days"}. weekday: {"result": "Tuesday", "date", "iso_weekday", "iso_week", ...}.',
      RETURNED,
    )
    .addError(
      'INVALID_INPUT',
      'An argument is missing, does not fit the operation, or is no date or time zone; or the result lies outside the years -9999 to 9999.',
      'Correct the argument as `message` says, then call again.',
    )
    .build(),
  version: '1',
  kind: 'tool',
  origin: 'builtin',
  lane: 'inline',
  limits: { timeoutMs: 2000, maxArgumentBytes: 4096 },
};
