import { describe, expect, it } from 'vitest';

import { makePlanTool } from '../../src/builtin/make-plan.ts';
import { ask } from '../support/ask.ts';
import { makeServer, testKeys } from '../support/server.ts';
import { makeTool } from '../support/tools.ts';

const { app } = makeServer({ tools: [makePlanTool, makeTool()] });

describe('scores over HTTP', () => {
  it('gives the five scores of a tool and the findings beside them', async () => {
    const answer = (await ask(app, 'GET /v1/tools/make_plan@1/score')).json();
    expect(answer['scores']).toEqual({
      clarity: expect.any(Number),
      completeness: 1,
      accuracy: 1,
      actionability: expect.any(Number),
      consistency: 1,
    });
    expect(Array.isArray(answer['findings'])).toBe(true);
  });

  it('gives a tool that is not for this caller the answer of one that does not exist', async () => {
    const { app: closed } = makeServer({ settings: { keysConfigured: true } });
    const answer = await ask(closed, 'GET /v1/tools/echo/score', { key: testKeys.other });
    expect([answer.status, answer.json()['error']]).toEqual([404, 'NOT_FOUND']);
  });

  it('scores any text against any tool, as seed 3 does', async () => {
    const body = {
      description: 'helps with things; assist handle stuff it this that',
      tool: { name: 'zz', parameters: [{ name: 'a_b' }] },
    };
    const { scores } = (await ask(app, 'POST /v1/descriptions/evaluate', { body })).json() as {
      scores: Record<string, number>;
    };
    expect(scores['clarity']).toBeCloseTo(0.4, 9);
    expect(scores['completeness']).toBe(0);
    expect(scores['accuracy']).toBeCloseTo(0.55, 9);
    expect(scores['actionability']).toBe(0);
    expect(scores['consistency']).toBe(1);
  });

  it.each([
    ['no body', undefined, 'has no body'],
    ['no tool', { description: 'x' }, 'tool'],
    ['a number for the text', { description: 5, tool: { name: 'x' } }, 'description'],
    ['an unknown key', { description: 'x', tool: { name: 'x' }, more: 1 }, 'more'],
  ])('refuses %s', async (_what, body, message) => {
    const answer = await ask(app, 'POST /v1/descriptions/evaluate', body === undefined ? {} : { body });
    expect([answer.status, answer.json()['message']]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('exports for model APIs', () => {
  it('gives what goes into the tools field of the OpenAI API', async () => {
    const answer = (await ask(app, 'GET /v1/tools?format=openai')).json();
    expect(answer['tools']).toHaveLength(2);
    expect((answer['tools'] as unknown[])[0]).toMatchObject({ type: 'function', function: { name: 'echo' } });
    expect(Array.isArray(answer['report'])).toBe(true);
  });

  it('gives what goes into the tools field of the Anthropic API', async () => {
    const answer = (await ask(app, 'GET /v1/tools?format=anthropic&kind=skill')).json();
    expect(answer['tools']).toEqual([
      expect.objectContaining({
        name: 'make_plan',
        input_schema: expect.objectContaining({ type: 'object' }),
      }),
    ]);
  });

  it('answers 304 to the tag of an export, and refuses a format that it does not know', async () => {
    const { headers } = await ask(app, 'GET /v1/tools?format=openai');
    const again = await ask(app, 'GET /v1/tools?format=openai', {
      headers: { 'if-none-match': headers['etag'] ?? '' },
    });
    expect(again.status).toBe(304);
    expect((await ask(app, 'GET /v1/tools?format=gemini')).status).toBe(400);
  });
});
