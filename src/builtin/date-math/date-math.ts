import { Temporal } from 'temporal-polyfill';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { Tool, ToolResult } from '../../core/tool.ts';
import { checkDateMath } from './check-arguments.ts';
import { DATE_MATH_SPEC } from './date-math-spec.ts';
import { type DateText, MAX_YEAR, readDate } from './date-text.ts';
import { describeMoment } from './describe-moment.ts';
import { describeWeekday } from './describe-weekday.ts';
import { measureDifference, UNITS } from './measure-difference.ts';
import { placeInZone } from './place-in-zone.ts';
import { shiftDate } from './shift-date.ts';

export interface DateMathOptions {
  /** Milliseconds since 1970-01-01T00:00Z; the system's clock when absent. Read by operation `now` only. */
  readonly now?: () => number;
}

/** `date_math@1`. Everything but `now` follows from the arguments alone. */
export function createDateMathTool(options: DateMathOptions = {}): Tool {
  const now = options.now ?? Date.now;
  return {
    spec: DATE_MATH_SPEC,
    check: checkDateMath,
    execute: async (args) => {
      try {
        return calculateDate(args, now);
      } catch (error) {
        // Temporal's own limits lie far outside the years allowed here.
        if (error instanceof RangeError) return OUT_OF_RANGE;
        throw error;
      }
    },
  };
}

function calculateDate(args: JsonObject, now: () => number): ToolResult {
  const zone = typeof args['time_zone'] === 'string' ? args['time_zone'] : 'UTC';
  if (args['operation'] === 'now') return ok(describeNow(now(), zone));
  const date = dateOf(args, 'date');
  if (args['operation'] === 'weekday') return ok(describeWeekday(dayIn(date, zone)));
  if (args['operation'] === 'difference') {
    const unit = UNITS.find((known) => known === args['unit']) ?? 'days';
    return ok(measureDifference({ start: date, end: dateOf(args, 'end_date'), unit, zone }));
  }
  const sign = args['operation'] === 'subtract' ? -1 : 1;
  const shifted = shiftDate({ date, duration: durationOf(args), sign, zone });
  return Math.abs(shifted.year) > MAX_YEAR ? OUT_OF_RANGE : ok(shifted.output);
}

function describeNow(epochMs: number, zone: string): JsonObject {
  const wholeSecondMs = Math.floor(epochMs / 1000) * 1000;
  return describeMoment(Temporal.Instant.fromEpochMilliseconds(wholeSecondMs).toZonedDateTimeISO(zone));
}

function dayIn(date: DateText, zone: string): Temporal.PlainDate {
  if (date.kind === 'day') return date.day;
  return date.kind === 'local' ? date.local.toPlainDate() : placeInZone(date, zone).at.toPlainDate();
}

/** `check` has found that it can be read. */
function dateOf(args: JsonObject, field: string): DateText {
  const text = args[field];
  const read = readDate(field, typeof text === 'string' ? text : '');
  if ('problem' in read) throw new TypeError(`${field} was not checked`);
  return read.date;
}

function durationOf(args: JsonObject): Readonly<Record<string, number>> {
  const { duration } = args;
  if (!isJsonObject(duration)) return {};
  return Object.fromEntries(
    Object.entries(duration).flatMap(([unit, amount]) =>
      typeof amount === 'number' ? [[unit, amount]] : [],
    ),
  );
}

function ok(output: JsonObject): ToolResult {
  return { status: 'ok', output };
}

const OUT_OF_RANGE: ToolResult = {
  status: 'failed',
  code: 'INVALID_INPUT',
  message: 'The result lies outside the years -9999 to 9999.',
  resolution: 'Use a smaller `duration`, or a `date` nearer to the present.',
};
