import type { Fault } from '../../core/broker-error.ts';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import { readDate } from './date-text.ts';
import { explainTimeZone } from './time-zone.ts';

interface Needs {
  readonly needed: readonly string[];
  readonly optional: readonly string[];
}

/** Which arguments each operation takes besides `operation`. */
const NEEDS: ReadonlyMap<string, Needs> = new Map([
  ['add', { needed: ['date', 'duration'], optional: ['time_zone'] }],
  ['subtract', { needed: ['date', 'duration'], optional: ['time_zone'] }],
  ['difference', { needed: ['date', 'end_date'], optional: ['unit', 'time_zone'] }],
  ['weekday', { needed: ['date'], optional: ['time_zone'] }],
  ['now', { needed: [], optional: ['time_zone'] }],
]);

const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['date', 'Give the date to start from, such as "2026-03-29".'],
  ['end_date', 'Give the second date, such as "2026-12-31".'],
  ['duration', 'Give the length of time as an object, such as {"months": 1, "days": 3}.'],
]);

/** What is wrong between the arguments, and with the dates and the zone. Types and limits are left to the schema. */
export function checkDateMath(args: JsonObject): readonly Fault[] {
  const { operation } = args;
  const needs = typeof operation === 'string' ? NEEDS.get(operation) : undefined;
  const crossed =
    typeof operation === 'string' && needs !== undefined ? checkNeeds(args, operation, needs) : [];
  return [...crossed, ...checkDates(args), ...checkZone(args), ...checkDuration(args)];
}

function checkNeeds(args: JsonObject, operation: string, needs: Needs): readonly Fault[] {
  const takes = [...needs.needed, ...needs.optional].map((name) => `\`${name}\``).join(', ');
  const missing = needs.needed
    .filter((name) => !Object.hasOwn(args, name))
    .map((name) => ({
      path: '',
      message: `Operation ${operation} needs \`${name}\`. ${MEANINGS.get(name) ?? ''}`,
    }));
  const foreign = ['date', 'end_date', 'duration', 'unit']
    .filter(
      (name) => Object.hasOwn(args, name) && !needs.needed.includes(name) && !needs.optional.includes(name),
    )
    .map((name) => ({
      path: `/${name}`,
      message: `Operation ${operation} takes no \`${name}\`. Leave it out: it takes ${takes}.`,
    }));
  return [...missing, ...foreign];
}

function checkDates(args: JsonObject): readonly Fault[] {
  return ['date', 'end_date'].flatMap((field) => {
    const text = Object.hasOwn(args, field) ? args[field] : undefined;
    const read = typeof text === 'string' ? readDate(field, text) : undefined;
    return read !== undefined && 'problem' in read ? [{ path: `/${field}`, message: read.problem }] : [];
  });
}

function checkZone(args: JsonObject): readonly Fault[] {
  const zone = args['time_zone'];
  const message = typeof zone === 'string' ? explainTimeZone(zone) : undefined;
  return message === undefined ? [] : [{ path: '/time_zone', message }];
}

function checkDuration(args: JsonObject): readonly Fault[] {
  const { duration, operation } = args;
  if (typeof duration === 'string') {
    return [
      {
        path: '/duration',
        message: '`duration` is a string. Write it as an object, such as {"months": 1, "days": 3}.',
      },
    ];
  }
  if (!isJsonObject(duration)) return [];
  if (Object.keys(duration).length === 0) {
    return [
      { path: '/duration', message: '`duration` is empty. Give at least one unit, such as {"days": 3}.' },
    ];
  }
  return Object.entries(duration)
    .filter(([, amount]) => typeof amount === 'number' && amount < 0)
    .map(([unit]) => ({
      path: `/duration/${unit.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      message: `An amount is negative. Write it positive and use operation ${operation === 'add' ? 'subtract' : 'add'}.`,
    }));
}
