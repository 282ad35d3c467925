import { createHash } from 'node:crypto';

import ical, { ICalEventTransparency } from 'ical-generator';

import type { CalendarTime } from './calendar-time.ts';

export interface CalendarEntry {
  readonly summary: string;
  readonly description: string;
  readonly uid: string;
  readonly start: CalendarTime;
}

export interface CalendarFacts {
  readonly name: string;
  readonly stamp: Date | undefined;
  readonly entries: readonly CalendarEntry[];
}

/** The text of an iCalendar file; UIDs come out of the name and what identifies each entry. */
export function writeCalendar({ name, stamp, entries }: CalendarFacts): string {
  const calendar = ical({
    name: escapeName(name),
    prodId: { company: 'tool-broker', product: 'render_calendar', language: 'EN' },
  });
  const seen = new Map<string, number>();
  for (const { summary, description, uid, start } of entries) {
    const occurrence = seen.get(uid) ?? 0;
    seen.set(uid, occurrence + 1);
    calendar.createEvent({
      id: `${hash([name, uid, String(occurrence)])}@tool-broker`,
      stamp: stamp ?? start.date,
      start: start.date,
      allDay: start.isWholeDay,
      summary,
      ...(description === '' ? {} : { description }),
      ...(start.isWholeDay ? { transparency: ICalEventTransparency.TRANSPARENT } : {}),
    });
  }
  return `${calendar.toString()}\r\n`;
}

/** ical-generator writes the name as it stands, so a line break in it would be a line of the file. */
function escapeName(name: string): string {
  return name
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replaceAll(/[\\;,]/gu, '\\$&');
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
