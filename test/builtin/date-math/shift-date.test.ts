import { describe, expect, it } from 'vitest';
import { outputOf, refusalOf } from './call-date-math.ts';

describe('add and subtract', () => {
  it('move a date on the calendar and name its weekday', async () => {
    expect(await outputOf({ operation: 'add', date: '2026-12-25', duration: { weeks: 1, days: 3 } })).toEqual(
      {
        result: '2027-01-04',
        weekday: 'Monday',
      },
    );
    expect(await outputOf({ operation: 'subtract', date: '2026-03-01', duration: { days: 1 } })).toEqual({
      result: '2026-02-28',
      weekday: 'Saturday',
    });
  });

  it('take the last day of a month that is too short, and say so', async () => {
    expect(await outputOf({ operation: 'add', date: '2026-01-31', duration: { months: 1 } })).toEqual({
      result: '2026-02-28',
      weekday: 'Saturday',
      notes: ['2026-02 has no day 31: its last day, 2026-02-28, was taken.'],
    });
    expect(await outputOf({ operation: 'add', date: '2024-02-29', duration: { years: 1 } })).toMatchObject({
      result: '2025-02-28',
    });
    expect(
      await outputOf({ operation: 'subtract', date: '2026-07-31', duration: { months: 1 } }),
    ).toMatchObject({
      result: '2026-06-30',
    });
    expect(
      await outputOf({ operation: 'add', date: '2024-02-29', duration: { years: 4 } }),
    ).not.toHaveProperty('notes');
  });

  it('read a day as its first moment in the zone when a time comes in', async () => {
    expect(
      await outputOf({
        operation: 'add',
        date: '2026-03-29',
        duration: { hours: 3 },
        time_zone: 'Europe/Berlin',
      }),
    ).toEqual({
      result: '2026-03-29T04:00:00+02:00',
      weekday: 'Sunday',
      date: '2026-03-29',
      time: '04:00:00',
      time_zone: 'Europe/Berlin',
      utc: '2026-03-29T02:00:00Z',
    });
  });

  it('keep the wall clock over days and the exact time over hours when the clocks change', async () => {
    const noon = { operation: 'add', date: '2026-03-28T12:00', time_zone: 'Europe/Berlin' };
    expect(await outputOf({ ...noon, duration: { days: 1 } })).toMatchObject({
      result: '2026-03-29T12:00:00+02:00',
    });
    expect(await outputOf({ ...noon, duration: { hours: 24 } })).toMatchObject({
      result: '2026-03-29T13:00:00+02:00',
    });
  });

  it('move a time that does not exist on by the gap, and say so', async () => {
    const gap =
      '2026-03-29T02:30 does not exist in Europe/Berlin: the clocks skip it. 2026-03-29T03:30 was taken.';
    expect(
      await outputOf({
        operation: 'add',
        date: '2026-03-28T02:30',
        duration: { days: 1 },
        time_zone: 'Europe/Berlin',
      }),
    ).toMatchObject({ result: '2026-03-29T03:30:00+02:00', notes: [gap] });
    expect(
      await outputOf({
        operation: 'add',
        date: '2026-03-29T02:30',
        duration: { hours: 1 },
        time_zone: 'Europe/Berlin',
      }),
    ).toMatchObject({ result: '2026-03-29T04:30:00+02:00', notes: [gap] });
  });

  it('take the first of a time that happens twice, and say how to write the second', async () => {
    const twice = { operation: 'add', duration: { hours: 1 }, time_zone: 'Europe/Berlin' };
    const first = await outputOf({ ...twice, date: '2026-10-25T02:30' });
    expect(first).toMatchObject({ result: '2026-10-25T02:30:00+01:00' });
    expect(JSON.stringify(first['notes'])).toContain('for the second write +01:00 after the time');
    expect(await outputOf({ ...twice, date: '2026-10-25T02:30+01:00' })).toMatchObject({
      result: '2026-10-25T03:30:00+01:00',
    });
  });

  it('carry an instant into the zone', async () => {
    expect(
      await outputOf({
        operation: 'add',
        date: '2026-07-01T10:00:00.5+02:00',
        duration: { seconds: 0 },
        time_zone: 'Asia/Tokyo',
      }),
    ).toMatchObject({ result: '2026-07-01T17:00:00.5+09:00', utc: '2026-07-01T08:00:00.5Z' });
  });

  it('reach the years -9999 and 9999 and refuse the next', async () => {
    expect(await outputOf({ operation: 'add', date: '9999-12-30', duration: { days: 1 } })).toMatchObject({
      result: '9999-12-31',
    });
    expect(await refusalOf({ operation: 'add', date: '9999-12-30', duration: { days: 2 } })).toContain(
      'smaller `duration`',
    );
    expect(
      await outputOf({ operation: 'subtract', date: '-009999-01-02', duration: { days: 1 } }),
    ).toMatchObject({ result: '-009999-01-01' });
    expect(
      await refusalOf({ operation: 'subtract', date: '-009999-01-02', duration: { days: 2 } }),
    ).toContain('-9999 to 9999');
    expect(
      await refusalOf({
        operation: 'add',
        date: '2026-01-01',
        duration: { seconds: 640_000_000_000, years: 20_000 },
      }),
    ).toContain('-9999 to 9999');
  });
});
