import type { JsonObject } from '../../src/core/json.ts';
import { describeArgumentFaults } from '../../src/describe/describe-argument-faults.ts';
import { evaluateTool } from '../../src/describe/evaluate-description.ts';
import { exportTools } from '../../src/describe/export-tools.ts';
import { renderDescription } from '../../src/describe/render-description.ts';
import { renderPrompt } from '../../src/describe/render-prompt.ts';
import { specOf } from './specs.ts';

/** Everything that can be made of a schema; throws when one of them does. */
export function useEverywhere(inputSchema: JsonObject): void {
  for (const origin of ['builtin', 'package:p'] as const) {
    const spec = specOf({ inputSchema, origin });
    renderDescription(spec);
    evaluateTool(spec);
    renderPrompt({ tools: [spec] });
    JSON.stringify([exportTools([spec], 'openai'), exportTools([spec], 'anthropic')]);
    describeArgumentFaults(spec, { a: 1 }, []);
  }
}
