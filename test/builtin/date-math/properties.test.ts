import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { context, matchesSchema, outputOf, tool } from './call-date-math.ts';

const year = fc.integer({ min: -9999, max: 9999 });
const dateText = fc
  .tuple(
    year,
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
    fc.constantFrom('', 'T02:30', 'T23:59:59.999999999', 'T00:00Z', 'T12:00-18:59', 'T12:00+18:00'),
  )
  .map(([y, m, d, time]) => `${formatYear(y)}-${pad(m)}-${pad(d)}${time}`);
const zone = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Pacific/Apia',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Africa/Monrovia',
);
const AMOUNTS = {
  years: 20_000,
  months: 240_000,
  weeks: 1_050_000,
  days: 7_350_000,
  hours: 180_000_000,
  minutes: 11_000_000_000,
  seconds: 640_000_000_000,
};
const duration = fc
  .record(
    Object.fromEntries(
      Object.entries(AMOUNTS).map(([unit, most]) => [
        unit,
        fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: most })),
      ]),
    ),
    { requiredKeys: [] },
  )
  .filter((parts) => Object.keys(parts).length > 0);

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

function formatYear(value: number): string {
  const digits = String(Math.abs(value));
  return value < 0 ? `-${digits.padStart(6, '0')}` : digits.padStart(4, '0');
}

describe('any arguments', () => {
  it('that pass check and schema are answered or refused, never thrown at', async () => {
    const args = fc.oneof(
      fc.record({ operation: fc.constantFrom('add', 'subtract'), date: dateText, duration, time_zone: zone }),
      fc.record({
        operation: fc.constant('difference'),
        date: dateText,
        end_date: dateText,
        unit: fc.constantFrom(...Object.keys(AMOUNTS)),
        time_zone: zone,
      }),
      fc.record({ operation: fc.constant('weekday'), date: dateText, time_zone: zone }),
    );
    await fc.assert(
      fc.asyncProperty(args, async (drawn) => {
        const given = drawn as JsonObject;
        expect(tool.check!(given)).toEqual([]);
        expect(matchesSchema(given)).toBe(true);
        const result = await tool.execute(given, context);
        return result.status === 'ok'
          ? typeof result.output['result'] === 'string'
          : result.code === 'INVALID_INPUT';
      }),
      { numRuns: 3000 },
    );
  });

  it('at all are checked without a throw', () => {
    const names = fc.constantFrom(
      'operation',
      'date',
      'end_date',
      'duration',
      'unit',
      'time_zone',
      '__proto__',
      'x',
    );
    const values = fc.oneof(
      fc.constantFrom('add', 'difference', 'now'),
      dateText,
      fc.jsonValue({ maxDepth: 2 }),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.dictionary(names, values), (given) => {
        expect(tool.check!(given as JsonObject)).toBeInstanceOf(Array);
      }),
      { numRuns: 3000 },
    );
  });

  it('of days and hours that are added can be taken away again', async () => {
    const parts = fc.record({
      days: fc.integer({ min: 0, max: 100_000 }),
      hours: fc.integer({ min: 0, max: 100_000 }),
    });
    const moderate = fc.date({
      min: new Date('1000-01-01'),
      max: new Date('3000-01-01'),
      noInvalidDate: true,
    });
    await fc.assert(
      fc.asyncProperty(moderate, parts, async (start, amount) => {
        const date = start.toISOString();
        const there = await outputOf({ operation: 'add', date, duration: amount });
        const back = await outputOf({ operation: 'subtract', date: there['utc'] ?? '', duration: amount });
        expect(Date.parse(back['utc'] as string)).toBe(start.getTime());
      }),
    );
  });

  it('of two dates give a difference that leads from the one to the other', async () => {
    const day = fc
      .date({ min: new Date('1600-01-01'), max: new Date('2400-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    await fc.assert(
      fc.asyncProperty(
        day,
        day,
        fc.constantFrom('years', 'months', 'weeks', 'days'),
        async (date, end_date, unit) => {
          const apart = await outputOf({ operation: 'difference', date, end_date, unit });
          const operation = apart['direction'] === 'earlier' ? 'subtract' : 'add';
          const reached = await outputOf({ operation, date, duration: apart['duration'] ?? {} });
          expect(reached['result']).toBe(end_date);
        },
      ),
      { numRuns: 500 },
    );
  });
});
