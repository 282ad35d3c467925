import { execFileSync } from 'node:child_process';

import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../src/core/json.ts';
import { render, SCHEMA } from './bound-handlers.ts';

const ICS = JSON.stringify({
  name: '{{title}}',
  stamp: '{{date}}',
  events: 'list',
  event: { summary: '{{a}}', start: '{{on}}', uid: '{{a}}', description: '{{b}}' },
});

function readEvents(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text) as never);
  return calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component));
}

describe('render_calendar', () => {
  const args = {
    title: 'Launch; all, of it',
    date: '2026-03-01',
    list: [
      { a: 'Press, text; "final"', b: 'line 1\nline 2 \\ end', on: '2026-03-20' },
      { a: 'Call', on: '2026-03-21T15:30:00+02:00' },
      { a: 'No date' },
    ],
  };

  it('gives a foreign reader the events back', async () => {
    const { text, facts } = await render('render_calendar', ICS, args);
    expect(facts).toEqual({ events: 2, without_date: 1 });
    const [first, second] = readEvents(text);
    expect(first?.summary).toBe('Press, text; "final"');
    expect(first?.description).toBe('line 1\nline 2 \\ end');
    expect(first?.startDate.toString()).toBe('2026-03-20');
    expect(first?.startDate.isDate).toBe(true);
    expect(second?.startDate.toJSDate().toISOString()).toBe('2026-03-21T13:30:00.000Z');
    expect(text).toContain('\r\nX-WR-CALNAME:Launch\\; all\\, of it\r\n');
  });

  it('is as RFC 5545 has it: CRLF at the end of every line, no line over 75 bytes, the parts that must be there', async () => {
    const long = {
      ...args,
      title: 'é'.repeat(300),
      list: [{ a: '日本語'.repeat(60), b: '😀'.repeat(99), on: '2026-03-20' }],
    };
    const { text } = await render('render_calendar', ICS, long);
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
    const lines = text.split('\r\n');
    expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
    expect(lines.filter((line) => /[\r\n\uFFFD]/u.test(line))).toEqual([]);
    for (const name of ['VERSION:2.0', 'PRODID:', 'UID:', 'DTSTAMP:', 'DTSTART;VALUE=DATE:']) {
      expect(lines.some((line) => line.startsWith(name))).toBe(true);
    }
    const [event] = readEvents(text);
    expect(event?.summary).toBe('日本語'.repeat(60));
    expect(event?.description).toBe('😀'.repeat(99));
  });

  it('lets no value add a line', async () => {
    const evil = 'x\r\nEND:VEVENT\nBEGIN:VALARM\rATTACH:x\u2028BEGIN:VEVENT';
    const { text } = await render('render_calendar', ICS, {
      title: evil,
      date: '2026-03-01',
      list: [{ a: evil, b: evil, on: '2026-03-20' }],
    });
    expect(text.split('\r\n').filter((line) => /^(?:BEGIN|END|ATTACH)/u.test(line))).toEqual([
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      'END:VEVENT',
      'END:VCALENDAR',
    ]);
  });

  it('[S1-T15] gives the same bytes for the same arguments, in every time zone', () => {
    const source = `{ file: 't', bytes: Buffer.from(${JSON.stringify(ICS)}), inputSchema: ${JSON.stringify(SCHEMA)} }`;
    const script = `
      const { renderCalendar } = await import('./src/skills/handlers/render-calendar.ts');
      const { bytes } = await renderCalendar.bind(${source}).render(${JSON.stringify(args)}, {});
      process.stdout.write(bytes);`;
    const run = (zone: string) =>
      execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
        env: { PATH: process.env['PATH'], TZ: zone },
        encoding: 'utf8',
      });
    const texts = ['UTC', 'Pacific/Kiritimati', 'America/New_York'].map(run);
    expect(texts[0]).toContain('DTSTART;VALUE=DATE:20260320');
    expect(new Set(texts).size).toBe(1);
  });

  it('keeps the identity of an event when other events come and go, and tells two alike apart', async () => {
    const uids = async (list: JsonObject[]) =>
      readEvents((await render('render_calendar', ICS, { ...args, list })).text).map(({ uid }) => uid);
    const call = { a: 'Call', on: '2026-03-21' };
    const [alone] = await uids([call]);
    expect(await uids([{ a: 'New', on: '2026-01-01' }, call])).toContain(alone);
    expect(new Set(await uids([call, call])).size).toBe(2);
  });

  it.each(['2026-02-30', '2026-13-01', 'tomorrow', '20260320', '2026-03-20T10:00', '2026-03-20T25:00:00Z'])(
    '[S1-T11] answers the date %s with INVALID_INPUT and the value',
    async (on) => {
      const { code, message } = await render('render_calendar', ICS, { ...args, list: [{ a: 'x', on }] });
      expect(code).toBe('INVALID_INPUT');
      expect(message).toContain(on);
    },
  );

  it('refuses a list without any date, for a calendar without events is none', async () => {
    const { code, message } = await render('render_calendar', ICS, { ...args, list: [{ a: 'x' }] });
    expect([code, message]).toEqual([
      'INVALID_INPUT',
      'no entry of "list" has a date, and a calendar needs one.',
    ]);
  });
});
