import type { ToolSpec } from '../core/tool.ts';
import { createToolSchemaBuilder } from '../describe/tool-schema-builder.ts';

export const MAX_STEPS = 20;
/** Code points, in each step and in the goal, counted as received (seed 1). */
export const MAX_STEP_CHARACTERS = 400;

const DESCRIPTION =
  'Writes a goal and its steps down as a numbered plan, a small text file that the user can keep. Arguments: goal, ' +
  `one sentence of at most ${MAX_STEP_CHARACTERS} characters, required; steps, a list of 1 to ${MAX_STEPS} texts in ` +
  `their order, each at most ${MAX_STEP_CHARACTERS} characters, required; the numbers are added for you. Use only ` +
  'when the user asked for a plan to have. Do not use it to sort out your own thoughts, and do not call it twice ' +
  'for one request.';

/** `make_plan@1` as models and operators read it. */
export const MAKE_PLAN_SPEC: ToolSpec = {
  ...createToolSchemaBuilder('make_plan')
    .setDescription(
      'Writes a goal and its steps down as a numbered text file that the user can keep.',
      DESCRIPTION,
    )
    .addTrigger('the user asks for a plan to keep')
    .addTrigger('the user wants steps written down as a numbered list in a file')
    .addParameter('goal', {
      type: 'string',
      description: `What the plan is for, in one sentence; at most ${MAX_STEP_CHARACTERS} characters.`,
      required: true,
      schema: { minLength: 1, maxLength: MAX_STEP_CHARACTERS },
    })
    .addParameter('steps', {
      type: 'array',
      description: `The steps in their order, without numbers; 1 to ${MAX_STEPS}, each at most ${MAX_STEP_CHARACTERS} characters.`,
      required: true,
      schema: {
        minItems: 1,
        maxItems: MAX_STEPS,
        items: { type: 'string', minLength: 1, maxLength: MAX_STEP_CHARACTERS },
      },
    })
    .addExample('Write me a plan for moving house in May.', {
      goal: 'Move house in May',
      steps: [
        'Give notice on the old flat',
        'Book a van for 12 May',
        'Pack, room by room',
        'Hand over the keys',
      ],
    })
    .setReturns('object', 'The plan as text; the same text comes beside it as the artifact plan.txt.', {
      plan: { type: 'string', description: '"Plan: " and the goal, a blank line, the numbered steps.' },
      step_count: { type: 'integer', minimum: 1, maximum: MAX_STEPS, description: 'How many steps it has.' },
    })
    .addError(
      'INVALID_INPUT',
      `goal or a step is missing, blank or longer than ${MAX_STEP_CHARACTERS} characters, or there are more than ${MAX_STEPS} steps.`,
      'Mend the argument that the message names; join small steps when there are too many.',
    )
    .build(),
  version: '1',
  kind: 'skill',
  origin: 'builtin',
  lane: 'inline',
  produces: ['text/plain'],
};
