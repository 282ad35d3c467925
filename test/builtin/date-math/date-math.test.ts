import { describe, expect, it } from 'vitest';
import { createDateMathTool } from '../../../src/builtin/date-math/date-math.ts';
import { context, outputOf, tool } from './call-date-math.ts';

describe('difference', () => {
  it('counts days unless another unit is asked for', async () => {
    expect(await outputOf({ operation: 'difference', date: '2026-03-01', end_date: '2026-12-25' })).toEqual({
      result: 'P299D',
      direction: 'later',
      duration: { days: 299 },
      total: 299,
      unit: 'days',
    });
  });

  it.each([
    ['years', 'P1Y1M1D', { years: 1, months: 1, days: 1 }],
    ['months', 'P13M1D', { months: 13, days: 1 }],
    ['weeks', 'P56W2D', { weeks: 56, days: 2 }],
    ['days', 'P394D', { days: 394 }],
    ['hours', 'PT9456H', { hours: 9456 }],
    ['seconds', 'PT34041600S', { seconds: 34_041_600 }],
  ])('measures in %s and what is left', async (unit, result, duration) => {
    expect(
      await outputOf({ operation: 'difference', date: '2026-01-31', end_date: '2027-03-01', unit }),
    ).toMatchObject({ result, duration, unit });
  });

  it('says when the second date is earlier or the same', async () => {
    expect(
      await outputOf({ operation: 'difference', date: '2026-03-02', end_date: '2026-03-01' }),
    ).toMatchObject({ result: 'P1D', direction: 'earlier', total: 1 });
    expect(
      await outputOf({ operation: 'difference', date: '2026-03-01', end_date: '2026-03-01', unit: 'months' }),
    ).toEqual({ result: 'PT0S', direction: 'same', duration: { months: 0 }, total: 0, unit: 'months' });
  });

  it('counts the hours of a day on which the clocks change', async () => {
    const day = { operation: 'difference', date: '2026-03-29', end_date: '2026-03-30', unit: 'hours' };
    expect(await outputOf({ ...day, time_zone: 'Europe/Berlin' })).toMatchObject({
      result: 'PT23H',
      total: 23,
    });
    expect(await outputOf(day)).toMatchObject({ result: 'PT24H', time_zone: 'UTC' });
  });

  it('compares instants of different offsets', async () => {
    expect(
      await outputOf({
        operation: 'difference',
        date: '2026-01-01T00:00+02:00',
        end_date: '2026-01-01T00:00Z',
        unit: 'hours',
      }),
    ).toMatchObject({ result: 'PT2H', total: 2 });
  });

  it('keeps fractions of a second', async () => {
    expect(
      await outputOf({
        operation: 'difference',
        date: '2026-01-01T00:00:00Z',
        end_date: '2026-01-01T00:00:01.5Z',
        unit: 'seconds',
      }),
    ).toMatchObject({ result: 'PT1.5S', duration: { seconds: 1.5 }, total: 1.5 });
  });
});

describe('weekday and now', () => {
  it('tells weekday, week and the place in the year', async () => {
    expect(await outputOf({ operation: 'weekday', date: '2027-01-01' })).toEqual({
      result: 'Friday',
      date: '2027-01-01',
      iso_weekday: 5,
      iso_week: '2026-W53',
      day_of_year: 1,
      days_in_month: 31,
      leap_year: false,
    });
  });

  it('takes the day that an instant has in the zone', async () => {
    expect(
      await outputOf({ operation: 'weekday', date: '2026-03-01T23:30Z', time_zone: 'Asia/Tokyo' }),
    ).toMatchObject({ result: 'Monday' });
    expect(
      await outputOf({ operation: 'weekday', date: '2026-03-01T23:30', time_zone: 'Asia/Tokyo' }),
    ).toMatchObject({ result: 'Sunday' });
  });

  it('reads the clock it was given, to the second', async () => {
    expect(await outputOf({ operation: 'now' })).toEqual({
      result: '2026-02-28T23:30:05+00:00',
      weekday: 'Saturday',
      date: '2026-02-28',
      time: '23:30:05',
      time_zone: 'UTC',
      utc: '2026-02-28T23:30:05Z',
    });
    expect(await outputOf({ operation: 'now', time_zone: 'Asia/Tokyo' })).toMatchObject({
      result: '2026-03-01T08:30:05+09:00',
      weekday: 'Sunday',
    });
  });

  it('never reads the clock for another operation', async () => {
    const blind = createDateMathTool({
      now: () => {
        throw new Error('the clock was read');
      },
    });
    const args = { operation: 'weekday', date: '2026-03-01' };
    expect(await blind.execute(args, context)).toMatchObject({ status: 'ok' });
    await expect(blind.execute({ operation: 'now' }, context)).rejects.toThrow('the clock was read');
  });

  it('answers each of its examples', async () => {
    const results = [];
    for (const example of tool.spec.examples ?? [])
      results.push((await outputOf(example.arguments))['result']);
    expect(results).toEqual(['2026-02-28', 'P299D', 'Tuesday', '2026-03-01T08:30:05+09:00']);
  });
});
