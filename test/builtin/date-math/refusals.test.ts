import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { outputOf, refusalOf, tool } from './call-date-math.ts';

describe('what it refuses', () => {
  const add = { operation: 'add', duration: { days: 1 } };
  it.each<[JsonObject, RegExp]>([
    [{ operation: 'add', date: '2026-01-01' }, /needs `duration`.*\{"months": 1/u],
    [{ operation: 'difference', date: '2026-01-01' }, /needs `end_date`/u],
    [{ operation: 'weekday' }, /needs `date`/u],
    [{ operation: 'now', date: '2026-01-01' }, /now takes no `date`.*`time_zone`/u],
    [{ operation: 'weekday', date: '2026-01-01', duration: { days: 1 } }, /takes no `duration`/u],
    [{ ...add, date: '2026-01-01', unit: 'days' }, /takes no `unit`/u],
    [{ ...add, date: '2026-01-01', end_date: '2026-01-02' }, /takes no `end_date`/u],
    [{ operation: 'add', date: '2026-01-01', duration: 'P1M' }, /as an object/u],
    [{ operation: 'add', date: '2026-01-01', duration: {} }, /at least one unit/u],
    [{ operation: 'add', date: '2026-01-01', duration: { days: -1 } }, /use operation subtract/u],
    [{ operation: 'subtract', date: '2026-01-01', duration: { days: -1 } }, /use operation add/u],
    [{ operation: 'add', date: '2026-01-01', duration: { days: 1.5 } }, /schema/u],
    [{ operation: 'add', date: '2026-01-01', duration: { fortnights: 1 } }, /schema/u],
    [{ operation: 'multiply' }, /schema/u],
    [{ operation: null }, /schema/u],
    [{}, /schema/u],
    [{ ...add, date: 5 }, /schema/u],
    [{ ...add, date: '2026-02-29' }, /no day 29.*28 days/u],
    [{ ...add, date: '2026-13-01' }, /no month 13/u],
    [{ ...add, date: '2026-00-01' }, /no month 00/u],
    [{ ...add, date: '2026-01-00' }, /no day 00/u],
    [{ ...add, date: '31/12/2026' }, /YYYY-MM-DD/u],
    [{ ...add, date: '2026-1-5' }, /YYYY-MM-DD/u],
    [{ ...add, date: 'today' }, /operation `now`/u],
    [{ ...add, date: '2026-01-01T24:00' }, /00:00 of the next day/u],
    [{ ...add, date: '2026-01-01T23:60' }, /minute/u],
    [{ ...add, date: '2026-01-01T23:59:60Z' }, /leap seconds/u],
    [{ ...add, date: '2026-01-01T10:00+0200' }, /\+02:00/u],
    [{ ...add, date: '2026-01-01T10:00+19:00' }, /offset/u],
    [{ ...add, date: '2026-01-01T10:00[Europe/Berlin]' }, /`time_zone`/u],
    [{ ...add, date: '+010000-01-01' }, /outside the years/u],
    [{ ...add, date: '-000000-01-01' }, /outside the years/u],
    [{ ...add, date: '２０２６-01-01' }, /YYYY-MM-DD/u],
    [{ ...add, date: '2026-01-01\n' }, /YYYY-MM-DD/u],
    [{ operation: 'now', time_zone: 'Berlin' }, /Europe\/Berlin/u],
    [{ operation: 'now', time_zone: 'Europe/Berln' }, /Europe\/Berlin/u],
    [{ operation: 'now', time_zone: 'New York' }, /America\/New_York/u],
    [{ operation: 'now', time_zone: '+02:00' }, /offset at the end of the date/u],
    [{ operation: 'now', time_zone: 'PST' }, /no IANA time zone/u],
    [{ operation: 'now', time_zone: '__proto__' }, /no IANA time zone/u],
    [{ operation: 'now', time_zone: '' }, /no IANA time zone/u],
    [{ operation: 'now', time_zone: '../etc/passwd' }, /no IANA time zone/u],
  ])('says how to write %j right', async (args, wanted) => {
    expect(await refusalOf(args)).toMatch(wanted);
  });

  it('names every fault at once, each with its place', () => {
    const faults = tool.check!({
      operation: 'weekday',
      date: '2026-02-30',
      unit: 'days',
      time_zone: 'Nowhere/At_All',
    });
    expect(faults.map((fault) => fault.path)).toEqual(['/unit', '/date', '/time_zone']);
  });

  it('takes old and new names of a zone in any case', async () => {
    for (const zone of [
      'Asia/Kolkata',
      'Asia/Calcutta',
      'US/Pacific',
      'europe/berlin',
      'EST',
      'GMT',
      'Etc/GMT+5',
    ]) {
      expect(await outputOf({ operation: 'now', time_zone: zone })).not.toHaveProperty('refused');
    }
  });
});
