import type { ToolFailureCode } from '../../core/error-codes.ts';
import type { JsonObject } from '../../core/json.ts';
import type { ExecuteContext, Lane } from '../../core/tool.ts';
import type { SkillNote } from '../skill-fault.ts';

/** What a handler binds to: a template out of the skill directory and the schema of the arguments that fill it. */
export interface HandlerSource {
  /** Path of the template inside the skill directory, for messages. */
  readonly file: string;
  readonly bytes: Buffer;
  readonly inputSchema: JsonObject;
  /** BCP 47. */
  readonly language: string;
}

export type Rendering =
  /** `facts` join the output, next to `created` and `file_name`: a page count, a row count. */
  | { readonly ok: true; readonly bytes: Uint8Array; readonly facts: JsonObject }
  | {
      readonly ok: false;
      readonly code: ToolFailureCode;
      readonly message: string;
      readonly resolution?: string;
    };

export type Render = (args: JsonObject, context: ExecuteContext) => Promise<Rendering>;

export type BoundHandler =
  | { readonly ok: true; readonly render: Render }
  | { readonly ok: false; readonly faults: readonly SkillNote[] };

/** One way to make a file out of arguments. Compiled in: nothing is ever loaded from a skill directory to run. */
export interface SkillHandler {
  /** The first is the usual one. */
  readonly mediaTypes: readonly string[];
  readonly lane: Lane;
  /** Checks everything that can be checked before a call. Never throws. */
  readonly bind: (source: HandlerSource) => BoundHandler;
}

export const TOO_LONG: Rendering = {
  ok: false,
  code: 'RESULT_TOO_LARGE',
  message: 'the document would be larger than 16,777,216 characters.',
  resolution: 'Send less, or make several documents.',
};
