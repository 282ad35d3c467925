import type { Temporal } from 'temporal-polyfill';
import type { JsonObject } from '../../core/json.ts';
import { weekdayOf } from './describe-moment.ts';

/** The weekday of a day and where the day stands in its year. */
export function describeWeekday(day: Temporal.PlainDate): JsonObject {
  const { weekOfYear, yearOfWeek } = day;
  return {
    result: weekdayOf(day),
    date: day.toString(),
    iso_weekday: day.dayOfWeek,
    ...(weekOfYear === undefined || yearOfWeek === undefined
      ? {}
      : { iso_week: `${yearOfWeek}-W${String(weekOfYear).padStart(2, '0')}` }),
    day_of_year: day.dayOfYear,
    days_in_month: day.daysInMonth,
    leap_year: day.inLeapYear,
  };
}
