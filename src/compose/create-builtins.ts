import { availableParallelism } from 'node:os';

import { createCalculator } from '../builtin/calculate/calculator.ts';
import { createPdfTool } from '../builtin/create-pdf.ts';
import { createDateMathTool } from '../builtin/date-math/date-math.ts';
import { makePlanTool } from '../builtin/make-plan.ts';
import { readSkillTool } from '../builtin/read-skill.ts';
import type { Tool } from '../core/tool.ts';
import { createTypesetter, type Typesetter } from '../typeset/typesetter.ts';

export interface Builtins {
  readonly tools: readonly Tool[];
  readonly typesetter: Typesetter;
  readonly close: () => Promise<void>;
}

/** The tools compiled in: all that the bundle `local` stands for. */
export function createBuiltins(): Builtins {
  const typesetter = createTypesetter({ maxThreads: availableParallelism() });
  const calculator = createCalculator();
  return {
    tools: [calculator.tool, createDateMathTool(), createPdfTool(typesetter), makePlanTool, readSkillTool],
    typesetter,
    close: async () => {
      await Promise.all([typesetter.close(), calculator.close()]);
    },
  };
}
