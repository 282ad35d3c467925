import type { Temporal } from 'temporal-polyfill';
import type { JsonObject } from '../../core/json.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** The English name. */
export function weekdayOf(day: { readonly dayOfWeek: number }): string {
  return WEEKDAYS[day.dayOfWeek - 1] ?? '';
}

/** A day as an answer. */
export function describeDay(day: Temporal.PlainDate): JsonObject {
  return { result: day.toString(), weekday: weekdayOf(day) };
}

/** A moment as an answer: `result` carries its offset, `utc` is the same moment. */
export function describeMoment(at: Temporal.ZonedDateTime): JsonObject {
  return {
    result: at.toString({ timeZoneName: 'never' }),
    weekday: weekdayOf(at),
    date: at.toPlainDate().toString(),
    time: at.toPlainTime().toString(),
    time_zone: at.timeZoneId,
    utc: at.toInstant().toString(),
  };
}
