export interface CalendarTime {
  /** Midnight UTC for a whole day. */
  readonly date: Date;
  readonly isWholeDay: boolean;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/u;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(?:\.\d{1,3})?(?:Z|[+-]\d{2}:\d{2})$/u;

/** `YYYY-MM-DD`, or a date-time with its offset (RFC 3339). Undefined for anything else, and for days that do not exist. */
export function readCalendarTime(text: string): CalendarTime | undefined {
  const written = text.trim();
  const isWholeDay = DAY.test(written);
  if (!isWholeDay && !MOMENT.test(written)) return undefined;
  const day = new Date(`${written.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== written.slice(0, 10))
    return undefined;
  if (isWholeDay) return { date: day, isWholeDay };
  const date = new Date(written);
  return Number.isNaN(date.getTime()) ? undefined : { date, isWholeDay };
}
