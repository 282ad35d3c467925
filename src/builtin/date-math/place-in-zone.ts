import type { Temporal } from 'temporal-polyfill';
import type { DateText } from './date-text.ts';

export interface Placed {
  readonly at: Temporal.ZonedDateTime;
  /** What a reader must know about how the time was understood. */
  readonly notes: readonly string[];
}

/** The instant that a written date means in a zone. A day alone means its first moment there. */
export function placeInZone(date: DateText, zone: string): Placed {
  if (date.kind === 'local') return placeLocal(date.local, zone);
  return {
    at: date.kind === 'day' ? date.day.toZonedDateTime(zone) : date.instant.toZonedDateTimeISO(zone),
    notes: [],
  };
}

/**
 * A time that the clocks skip is moved on by the length of the gap; of a time that they show twice the first is
 * taken (Temporal's `compatible`, RFC 5545). A note says so.
 */
export function placeLocal(local: Temporal.PlainDateTime, zone: string): Placed {
  const at = local.toZonedDateTime(zone, { disambiguation: 'compatible' });
  const later = local.toZonedDateTime(zone, { disambiguation: 'later' });
  const shown = showLocal(local);
  if (!at.toPlainDateTime().equals(local)) {
    return {
      at,
      notes: [
        `${shown} does not exist in ${zone}: the clocks skip it. ${showLocal(at.toPlainDateTime())} was taken.`,
      ],
    };
  }
  if (at.epochNanoseconds === later.epochNanoseconds) return { at, notes: [] };
  return {
    at,
    notes: [
      `${shown} happens twice in ${zone}: the clocks go back. The first, at ${at.offset}, was taken; for the second write ${later.offset} after the time.`,
    ],
  };
}

function showLocal(local: Temporal.PlainDateTime): string {
  return local.toString({ smallestUnit: local.second === 0 ? 'minute' : 'second' });
}
