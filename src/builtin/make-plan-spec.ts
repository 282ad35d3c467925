import type { ToolSpec } from '../core/tool.ts';

export const MAX_STEPS = 20;
/** Code points, in each step and in the goal, counted as received (seed 1). */
export const MAX_STEP_CHARACTERS = 400;

/** `make_plan@1` as models and operators read it. */
export const MAKE_PLAN_SPEC: ToolSpec = {
  name: 'make_plan',
  version: '1',
  kind: 'skill',
  origin: 'builtin',
  summary: 'Writes a goal and its steps down as a numbered text file that the user can keep.',
  description:
    'Writes a goal and its steps down as a numbered plan, a small text file that the user can keep. Arguments: goal, ' +
    `one sentence of at most ${MAX_STEP_CHARACTERS} characters, required; steps, a list of 1 to ${MAX_STEPS} texts in ` +
    `their order, each at most ${MAX_STEP_CHARACTERS} characters, required; the numbers are added for you. Use it only ` +
    'when the user asked for a plan to have. Do not use it to sort out your own thoughts, and do not call it twice ' +
    'for one request.',
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      goal: {
        type: 'string',
        minLength: 1,
        maxLength: MAX_STEP_CHARACTERS,
        description: `What the plan is for, in one sentence; at most ${MAX_STEP_CHARACTERS} characters.`,
      },
      steps: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_STEPS,
        items: { type: 'string', minLength: 1, maxLength: MAX_STEP_CHARACTERS },
        description: `The steps in their order, without numbers; 1 to ${MAX_STEPS}, each at most ${MAX_STEP_CHARACTERS} characters.`,
      },
    },
    required: ['goal', 'steps'],
  },
  lane: 'inline',
  triggers: ['write me a plan for', 'give me the steps as a list I can keep', 'save this plan'],
  examples: [
    {
      input: 'Write me a plan for moving house in May.',
      arguments: {
        goal: 'Move house in May',
        steps: [
          'Give notice on the old flat',
          'Book a van for 12 May',
          'Pack, room by room',
          'Hand over the keys',
        ],
      },
    },
  ],
  returns: {
    type: 'object',
    description: 'The plan as text; the same text comes beside it as the artifact plan.txt.',
    properties: {
      plan: { type: 'string', description: '"Plan: " and the goal, a blank line, the numbered steps.' },
      step_count: { type: 'integer', minimum: 1, maximum: MAX_STEPS },
    },
  },
  errors: [
    {
      code: 'INVALID_INPUT',
      description: `goal or a step is missing, blank or longer than ${MAX_STEP_CHARACTERS} characters, or there are more than ${MAX_STEPS} steps.`,
      resolution: 'Mend the argument that the message names; join small steps when there are too many.',
    },
  ],
  produces: ['text/plain'],
};
