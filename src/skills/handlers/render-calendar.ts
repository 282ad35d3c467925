import { Type } from 'typebox';

import type { JsonObject } from '../../core/json.ts';
import { quote } from '../../core/quote.ts';
import { createJsonReader } from '../json-reader.ts';
import { renderTemplate } from '../template/render-template.ts';
import type { SchemaNode } from '../template/schema-scope.ts';
import type { Template } from '../template/template.ts';
import { toView, type View } from '../template/to-view.ts';
import { readCalendarTime } from './calendar-time.ts';
import {
  TOO_LONG,
  type BoundHandler,
  type HandlerSource,
  type Rendering,
  type SkillHandler,
} from './handler.ts';
import { bindText, findListScopes } from './bind-list.ts';
import { writeCalendar, type CalendarEntry } from './write-calendar.ts';

const Text = Type.String({ minLength: 1 });

/** The template file: which list makes the events, and a Mustache text for each part of an event. */
const CalendarTemplateSchema = Type.Object(
  {
    name: Text,
    /** When the calendar was made; a date or date-time. */
    stamp: Text,
    events: Text,
    event: Type.Object(
      {
        summary: Text,
        /** A date (the event lasts all day) or a date-time with its offset. Empty: the entry makes no event. */
        start: Text,
        /** What identifies the event when the calendar is made again. */
        uid: Text,
        description: Type.Optional(Text),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);

const readCalendarTemplate = createJsonReader(CalendarTemplateSchema);

/** A calendar as RFC 5545 has it. The same arguments give the same bytes: UIDs and stamps come out of them. */
export const renderCalendar: SkillHandler = { mediaTypes: ['text/calendar'], lane: 'inline', bind };

interface Plan {
  readonly list: string;
  readonly name: Template;
  readonly stamp: Template;
  readonly event: { readonly [part in EventPart]: Template | undefined };
  readonly scopes: readonly [SchemaNode, SchemaNode];
}

type EventPart = 'summary' | 'start' | 'uid' | 'description';

function bind(source: HandlerSource): BoundHandler {
  const read = readCalendarTemplate(source.bytes, source.file);
  if (!read.ok) return read;
  const { events: list, event } = read.value;
  const scopes = findListScopes(source, list);
  if (!scopes.ok) return scopes;
  const whole = (text: string) => bindText(source.file, text, [scopes.value[0]]);
  const entry = (text: string) => bindText(source.file, text, scopes.value);
  const parts = {
    name: whole(read.value.name),
    stamp: whole(read.value.stamp),
    summary: entry(event.summary),
    start: entry(event.start),
    uid: entry(event.uid),
    ...(event.description === undefined ? {} : { description: entry(event.description) }),
  };
  const { name, stamp, summary, start, uid, description } = parts;
  if (name.ok && stamp.ok && summary.ok && start.ok && uid.ok && description?.ok !== false) {
    const texts = {
      summary: summary.value,
      start: start.value,
      uid: uid.value,
      description: description?.value,
    };
    const plan: Plan = { list, name: name.value, stamp: stamp.value, event: texts, scopes: scopes.value };
    return { ok: true, render: (args) => Promise.resolve(renderEvents(plan, args)) };
  }
  return { ok: false, faults: Object.values(parts).flatMap((part) => part.faults ?? []) };
}

function renderEvents(plan: Plan, args: JsonObject): Rendering {
  const view = toView(args, plan.scopes[0]);
  const list = args[plan.list];
  const read = (Array.isArray(list) ? list : []).map((item) => {
    const entry = readEntry(plan, [view, toView(item, plan.scopes[1])]);
    return typeof entry === 'string' ? fail(`${entry} It stands in ${quote(plan.list)}.`) : entry;
  });
  const failed = read.find((entry) => entry !== undefined && 'ok' in entry);
  if (failed !== undefined) return failed;
  const entries = read.filter((entry): entry is CalendarEntry => entry !== undefined && !('ok' in entry));
  if (entries.length === 0)
    return fail(`no entry of ${quote(plan.list)} has a date, and a calendar needs one.`);
  const name = fill(plan.name, [view]);
  const stamp = readCalendarTime(fill(plan.stamp, [view]) ?? '');
  if (name === undefined) return TOO_LONG;
  const text = writeCalendar({ name, stamp: stamp?.date, entries });
  const facts = { events: entries.length, without_date: read.length - entries.length };
  return { ok: true, bytes: Buffer.from(text, 'utf8'), facts };
}

function fail(message: string): Rendering {
  return { ok: false, code: 'INVALID_INPUT', message, resolution: 'Write dates as YYYY-MM-DD.' };
}

/** Undefined when the entry has no date; a sentence when it has a wrong one. */
function readEntry(plan: Plan, contexts: readonly View[]): CalendarEntry | string | undefined {
  const { summary, start, uid, description } = plan.event;
  const written = fill(start, contexts)?.trim() ?? '';
  if (written === '') return undefined;
  const time = readCalendarTime(written);
  if (time === undefined) return `${quote(written)} is no date of the calendar.`;
  return {
    summary: (fill(summary, contexts) ?? '').replaceAll(/\s+/gu, ' ').trim(),
    description: (fill(description, contexts) ?? '').trim(),
    uid: fill(uid, contexts) ?? '',
    start: time,
  };
}

function fill(template: Template | undefined, contexts: readonly View[]): string | undefined {
  const rendered = template && renderTemplate(template, contexts, (text) => text);
  return rendered?.ok === true ? rendered.text : undefined;
}
