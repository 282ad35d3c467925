import type { JsonObject } from '../../core/json.ts';

/** What `date_math@1` answers with, over all its operations. */
export const RETURNED: JsonObject = {
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
  day_of_year: { type: 'integer', description: '1 to 366.' },
  days_in_month: { type: 'integer', description: '28 to 31.' },
  leap_year: { type: 'boolean', description: 'Whether the year has a 29 February.' },
  notes: {
    type: 'array',
    items: { type: 'string' },
    description:
      'How a date was understood that does not exist, or exists twice. Absent when there are none.',
  },
};
