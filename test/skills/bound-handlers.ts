import type { JsonObject } from '../../src/core/json.ts';
import { CONTEXT, HANDLERS } from './skill-dirs.ts';

export const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    text: { type: 'string' },
    date: { type: 'string' },
    list: {
      type: 'array',
      items: {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string' }, on: { type: 'string' } },
      },
    },
  },
};

function bindHandler(handler: string, template: string) {
  const bound = HANDLERS.get(handler)?.bind({
    file: 't',
    bytes: Buffer.from(template),
    inputSchema: SCHEMA,
    language: 'en',
  });
  if (bound === undefined) throw new Error(`no handler ${handler}`);
  return bound;
}

export function faults(handler: string, template: string): string[] {
  const bound = bindHandler(handler, template);
  return bound.ok ? [] : bound.faults.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

export async function render(handler: string, template: string, args: JsonObject) {
  const bound = bindHandler(handler, template);
  if (!bound.ok) throw new Error(bound.faults[0]?.message);
  const rendering = await bound.render(args, CONTEXT);
  if (!rendering.ok) return { text: '', facts: {}, code: rendering.code, message: rendering.message };
  return {
    text: Buffer.from(rendering.bytes).toString('utf8'),
    facts: rendering.facts,
    code: undefined,
    message: '',
  };
}
