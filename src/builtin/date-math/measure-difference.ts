import type { Temporal } from 'temporal-polyfill';
import type { JsonObject } from '../../core/json.ts';
import type { DateText } from './date-text.ts';
import { placeInZone } from './place-in-zone.ts';

/** Units of a duration, largest first. */
export const UNITS = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'] as const;
type Unit = (typeof UNITS)[number];

type DateUnit = 'years' | 'months' | 'weeks' | 'days';

export interface Span {
  readonly start: DateText;
  readonly end: DateText;
  /** The largest unit of the answer. */
  readonly unit: Unit;
  readonly zone: string;
}

/**
 * How far `end` is from `start`: `start` moved by `duration` in `direction` is `end`. Two days are compared on the
 * calendar; as soon as a time or a unit below days is asked for, the zone's clocks count.
 */
export function measureDifference(span: Span): JsonObject {
  const { start, end, unit, zone } = span;
  if (start.kind === 'day' && end.kind === 'day' && isDateUnit(unit)) {
    return describeSpan(start.day.until(end.day, { largestUnit: unit }), unit, start.day);
  }
  const from = placeInZone(start, zone);
  const to = placeInZone(end, zone);
  const notes = [...from.notes, ...to.notes];
  return {
    ...describeSpan(from.at.until(to.at, { largestUnit: unit }), unit, from.at),
    time_zone: from.at.timeZoneId,
    ...(notes.length === 0 ? {} : { notes }),
  };
}

function isDateUnit(unit: Unit): unit is DateUnit {
  return UNITS.indexOf(unit) <= UNITS.indexOf('days');
}

function describeSpan(
  length: Temporal.Duration,
  unit: Unit,
  relativeTo: Temporal.PlainDate | Temporal.ZonedDateTime,
): JsonObject {
  const total = Math.abs(length.total({ unit, relativeTo }));
  return {
    result: length.abs().toString(),
    direction: length.sign === 0 ? 'same' : length.sign > 0 ? 'later' : 'earlier',
    duration: partsOf(length.abs(), unit),
    total: Number(total.toFixed(9)),
    unit,
  };
}

/** The units that are not zero; seconds carry their fraction. */
function partsOf(length: Temporal.Duration, unit: Unit): JsonObject {
  const fraction = length.milliseconds / 1e3 + length.microseconds / 1e6 + length.nanoseconds / 1e9;
  const parts = UNITS.map((name): [Unit, number] => [
    name,
    name === 'seconds' ? Number((length.seconds + fraction).toFixed(9)) : length[name],
  ]).filter(([, amount]) => amount !== 0);
  return parts.length === 0 ? { [unit]: 0 } : Object.fromEntries(parts);
}
