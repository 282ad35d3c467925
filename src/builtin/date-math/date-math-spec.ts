import type { JsonObject } from '../../core/json.ts';
import type { ToolSpec } from '../../core/tool.ts';
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

/** The spec of `date_math@1`. */
export const DATE_MATH_SPEC: ToolSpec = {
  name: 'date_math',
  version: '1',
  kind: 'tool',
  origin: 'builtin',
  summary:
    'Adds to and subtracts from dates, measures the time between them, and tells weekday, week and the current time in any zone.',
  description: DESCRIPTION,
  lane: 'inline',
  limits: { timeoutMs: 2000, maxArgumentBytes: 4096 },
  triggers: [
    'how many days until',
    'what day of the week',
    'add days to a date',
    'date difference',
    'what is the date today',
    'time zone',
  ],
  inputSchema: {
    type: 'object',
    properties: {
      operation: {
        type: 'string',
        enum: ['add', 'subtract', 'difference', 'weekday', 'now'],
        description: 'What to do.',
      },
      date: dateSchema(
        'The date to start from: "2026-03-29", "2026-03-29T14:30" or "2026-03-29T14:30+02:00". For all but now.',
      ),
      end_date: dateSchema('The second date, written like date. For difference only.'),
      duration: {
        type: 'object',
        description:
          'How much to add or subtract, such as {"months": 1, "days": 3}. For add and subtract only.',
        properties: Object.fromEntries(
          UNITS.map((unit) => [unit, { type: 'integer', minimum: 0, maximum: MAX_AMOUNTS[unit] }]),
        ),
        minProperties: 1,
        additionalProperties: false,
      },
      unit: {
        type: 'string',
        enum: [...UNITS],
        description: 'The largest unit of the answer; days when left out. For difference only.',
      },
      time_zone: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        description: 'IANA name, such as "Europe/Berlin"; UTC when left out.',
      },
    },
    required: ['operation'],
    additionalProperties: false,
  },
  examples: [
    {
      input: 'When is a payment due that is due one month after 31 January 2026?',
      arguments: { operation: 'add', date: '2026-01-31', duration: { months: 1 } },
    },
    {
      input: 'How many days are there from 1 March to Christmas 2026?',
      arguments: { operation: 'difference', date: '2026-03-01', end_date: '2026-12-25' },
    },
    { input: 'Which weekday is 29 February 2028?', arguments: { operation: 'weekday', date: '2028-02-29' } },
    { input: 'What time is it in Tokyo?', arguments: { operation: 'now', time_zone: 'Asia/Tokyo' } },
  ],
  returns: {
    type: 'object',
    description:
      'add, subtract: {"result": "2026-02-28", "weekday": "Saturday", "notes": [...]}. now, and when a time comes in: also date, time, time_zone, utc. \
difference: {"result": "P299D", "direction": "later", "duration": {"days": 299}, "total": 299, "unit": "days"}. weekday: {"result": "Tuesday", "date", "iso_weekday", "iso_week", ...}.',
    properties: returnedProperties(),
  },
  errors: [
    {
      code: 'INVALID_INPUT',
      description:
        'An argument is missing, does not fit the operation, or is no date or time zone; or the result lies outside the years -9999 to 9999.',
      resolution: 'Correct the argument as `message` says, then call again.',
    },
  ],
};

function dateSchema(description: string): JsonObject {
  return { type: 'string', minLength: 1, maxLength: MAX_DATE_CHARACTERS, description };
}

function returnedProperties(): JsonObject {
  return {
    result: {
      type: 'string',
      description: 'The answer: an ISO 8601 date, date-time or duration, or the English name of the weekday.',
    },
    weekday: { type: 'string', description: 'Weekday of the resulting date.' },
    date: { type: 'string', description: 'The calendar day in time_zone.' },
    time: { type: 'string', description: 'The time on the clocks of time_zone.' },
    time_zone: { type: 'string', description: 'The zone that was used.' },
    utc: { type: 'string', description: 'The same moment in UTC.' },
    direction: {
      type: 'string',
      enum: ['later', 'earlier', 'same'],
      description: 'Where end_date lies, seen from date.',
    },
    duration: {
      type: 'object',
      description: 'The difference by units, largest as asked for; units that are zero are left out.',
    },
    total: { type: 'number', description: 'The whole difference in `unit`, with a fraction.' },
    unit: { type: 'string', description: 'The largest unit.' },
    iso_weekday: { type: 'integer', description: '1 Monday to 7 Sunday.' },
    iso_week: { type: 'string', description: 'Year and week, such as 2026-W09.' },
    day_of_year: { type: 'integer' },
    days_in_month: { type: 'integer' },
    leap_year: { type: 'boolean' },
    notes: {
      type: 'array',
      items: { type: 'string' },
      description:
        'How a date was understood that does not exist, or exists twice. Absent when there is nothing to say.',
    },
  };
}
