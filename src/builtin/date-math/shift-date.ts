import { Temporal } from 'temporal-polyfill';
import type { JsonObject } from '../../core/json.ts';
import type { DateText } from './date-text.ts';
import { describeDay, describeMoment } from './describe-moment.ts';
import { placeInZone, placeLocal } from './place-in-zone.ts';

const TIME_UNITS = ['hours', 'minutes', 'seconds'] as const;

/** A date and a length of time, with the sign in which it goes. */
export interface Shift {
  readonly date: DateText;
  /** Plural unit -> whole number, none negative. */
  readonly duration: Readonly<Record<string, number>>;
  readonly sign: 1 | -1;
  readonly zone: string;
}

/**
 * The date, moved. Years and months go first (a day that the month lacks becomes its last day), then weeks and days on
 * the calendar, then hours, minutes and seconds exactly. Throws RangeError beyond what Temporal can hold.
 */
export function shiftDate(shift: Shift): { readonly year: number; readonly output: JsonObject } {
  const { date, zone } = shift;
  const calendar = signed(shift, ['years', 'months', 'weeks', 'days']);
  if (date.kind === 'day' && !TIME_UNITS.some((unit) => (shift.duration[unit] ?? 0) !== 0)) {
    const day = date.day.add(calendar);
    return { year: day.year, output: withNotes(describeDay(day), clampNotes(shift, date.day)) };
  }
  const placed = placeInZone(date, zone);
  const moved = calendar.blank ? { at: placed.at, notes: [] } : moveOnCalendar(placed.at, calendar);
  const at = moved.at.add(signed(shift, TIME_UNITS));
  const notes = [...placed.notes, ...clampNotes(shift, placed.at.toPlainDate()), ...moved.notes];
  return { year: at.year, output: withNotes(describeMoment(at), notes) };
}

function moveOnCalendar(
  at: Temporal.ZonedDateTime,
  calendar: Temporal.Duration,
): ReturnType<typeof placeLocal> {
  const local = at.toPlainDateTime().add(calendar);
  const { notes } = placeLocal(local, at.timeZoneId);
  // Temporal's own step: it keeps the offset of a repeated time where `placeLocal` would take the first.
  return { at: at.add(calendar), notes };
}

function signed(shift: Shift, units: readonly string[]): Temporal.Duration {
  const known = Object.fromEntries(units.map((unit) => [unit, shift.sign * (shift.duration[unit] ?? 0)]));
  return Temporal.Duration.from(known);
}

function clampNotes(shift: Shift, from: Temporal.PlainDate): readonly string[] {
  const landed = from.add(signed(shift, ['years', 'months']));
  if (landed.day === from.day) return [];
  return [
    `${landed.toPlainYearMonth().toString()} has no day ${from.day}: its last day, ${landed.toString()}, was taken.`,
  ];
}

function withNotes(output: JsonObject, notes: readonly string[]): JsonObject {
  return notes.length === 0 ? output : { ...output, notes };
}
