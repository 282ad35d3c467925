import type { JsonObject, JsonValue } from '../core/json.ts';
import type { Tool, ToolResult } from '../core/tool.ts';
import { firstFault, isWithin, refuseUnknown, type Check } from './first-fault.ts';
import { MAKE_PLAN_SPEC, MAX_STEP_CHARACTERS, MAX_STEPS } from './make-plan-spec.ts';
import { textOf } from './text-of.ts';
import { collapseSpace, isFilled } from './white-space.ts';

// Seed 1's order and sentences.
const CHECKS: readonly Check[] = [
  refuseUnknown(['goal', 'steps']),
  ({ goal }) => (isFilled(goal) ? undefined : { path: '/goal', message: 'goal must be a non-empty string' }),
  ({ goal }) =>
    isFilled(goal) && !isWithin(goal, MAX_STEP_CHARACTERS)
      ? { path: '/goal', message: `goal must be at most ${MAX_STEP_CHARACTERS} characters` }
      : undefined,
  ({ steps }) =>
    Array.isArray(steps) && steps.length > 0
      ? undefined
      : { path: '/steps', message: 'steps must be a non-empty list of strings' },
  ({ steps }) =>
    stepsOf(steps).length > MAX_STEPS
      ? { path: '/steps', message: `steps must contain at most ${MAX_STEPS} entries` }
      : undefined,
  ({ steps }) => firstFault({}, stepsOf(steps).map(checkStep))[0],
];

function checkStep(step: JsonValue, index: number): Check {
  const path = `/steps/${index}`;
  return () => {
    if (!isFilled(step)) return { path, message: 'every step must be a non-empty string' };
    if (isWithin(step, MAX_STEP_CHARACTERS)) return undefined;
    return { path, message: `each step must be at most ${MAX_STEP_CHARACTERS} characters` };
  };
}

/** `make_plan@1` of seed 1: a goal and its steps as a numbered text file. */
export const makePlanTool: Tool = {
  spec: MAKE_PLAN_SPEC,
  check: (args) => firstFault(args, CHECKS),
  execute: (args) => Promise.resolve(makePlan(args)),
};

function makePlan({ goal, steps }: JsonObject): ToolResult {
  const lines = stepsOf(steps).map((step, index) => `${index + 1}. ${collapseSpace(textOf(step))}`);
  const plan = [`Plan: ${collapseSpace(textOf(goal))}`, '', ...lines].join('\n');
  return {
    status: 'ok',
    output: { plan, step_count: lines.length },
    file: { name: 'plan.txt', mediaType: 'text/plain', bytes: new TextEncoder().encode(plan) },
  };
}

function stepsOf(steps: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(steps) ? (steps as readonly JsonValue[]) : [];
}
