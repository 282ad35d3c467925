import { Temporal } from 'temporal-polyfill';
import { quote } from '../../core/quote.ts';

/** Years that a date may have, both as it comes in and as it goes out. */
export const MAX_YEAR = 9999;

const FORM =
  /^(?<year>\d{4}|[+-]\d{6})-(?<month>\d{2})-(?<day>\d{2})(?:[T ](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?<fraction>\.\d{1,9})?)?(?<offset>Z|[+-]\d{2}:\d{2})?)?$/u;

const HOW =
  'Write YYYY-MM-DD, such as 2026-03-29, or with a time YYYY-MM-DDThh:mm, such as 2026-03-29T14:30, and Z or an offset such as +02:00 where one is known.';

/** A date as it was written: a day, a time on the clocks of some zone, or an instant. */
export type DateText =
  | { readonly kind: 'day'; readonly day: Temporal.PlainDate }
  | { readonly kind: 'local'; readonly local: Temporal.PlainDateTime }
  | { readonly kind: 'instant'; readonly instant: Temporal.Instant };

export type ReadDate = { readonly date: DateText } | { readonly problem: string };

/** An ISO 8601 date or date-time. `problem` names what is wrong with it and how to write it, for a field called `field`. */
export function readDate(field: string, text: string): ReadDate {
  const parts = FORM.exec(text)?.groups;
  const subject = `\`${field}\` ${quote(text)}`;
  if (parts === undefined) return { problem: `${subject} ${explainForm(text)}` };
  const problem = explainParts(parts);
  return problem === undefined ? { date: toDate(parts, text) } : { problem: `${subject} ${problem}` };
}

function explainForm(text: string): string {
  if (/^(?:now|today|tomorrow|yesterday)$/iu.test(text.trim())) {
    return 'is a word, not a date. Call operation `now` first, and use the `date` that it gives.';
  }
  if (/\[.*\]$/u.test(text))
    return 'names a zone in brackets. Leave the brackets out and give the zone as `time_zone`.';
  if (/[+-]\d{2}$|[+-]\d{4}$/u.test(text) && text.includes(':')) {
    return 'has an offset of another form. Write offsets as +02:00.';
  }
  return `is no ISO 8601 date. ${HOW}`;
}

type Parts = Readonly<Record<string, string | undefined>>;

function explainParts(parts: Parts): string | undefined {
  const [year, month, day] = [Number(parts['year']), Number(parts['month']), Number(parts['day'])];
  if (Math.abs(year) > MAX_YEAR || parts['year'] === '-000000') {
    return `lies outside the years -009999 to 9999. Use a year in between.`;
  }
  if (month < 1 || month > 12)
    return `has no month ${parts['month']}. Months are 01 to 12, in the order year-month-day.`;
  const { daysInMonth } = Temporal.PlainYearMonth.from({ year, month });
  if (day < 1 || day > daysInMonth) {
    return `has no day ${parts['day']}: that month has ${daysInMonth} days. Use a day from 01 to ${daysInMonth}.`;
  }
  return explainTime(parts);
}

function explainTime(parts: Parts): string | undefined {
  if (Number(parts['hour'] ?? 0) > 23)
    return 'has no such hour. Hours are 00 to 23; midnight is 00:00 of the next day.';
  if (Number(parts['minute'] ?? 0) > 59) return 'has no such minute. Minutes are 00 to 59.';
  if (Number(parts['second'] ?? 0) > 59)
    return 'has no such second. Seconds are 00 to 59; leap seconds are not counted.';
  const offset = /^[+-](\d{2}):(\d{2})$/u.exec(parts['offset'] ?? '');
  if (offset !== null && (Number(offset[1]) > 18 || Number(offset[2]) > 59)) {
    return 'has no such offset. Offsets are -18:00 to +18:59, such as +02:00.';
  }
  return undefined;
}

function toDate(parts: Parts, text: string): DateText {
  if (parts['hour'] === undefined) return { kind: 'day', day: Temporal.PlainDate.from(text) };
  if (parts['offset'] === undefined) return { kind: 'local', local: Temporal.PlainDateTime.from(text) };
  return { kind: 'instant', instant: Temporal.Instant.from(text) };
}
