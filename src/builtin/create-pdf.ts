import type { JsonObject } from '../core/json.ts';
import type { ExecuteContext, Tool, ToolResult } from '../core/tool.ts';
import type { Typesetter } from '../typeset/typesetter.ts';
import { CREATE_PDF_SPEC, MAX_BODY_CHARACTERS, MAX_TITLE_CHARACTERS } from './create-pdf-spec.ts';
import { firstFault, isWithin, refuseUnknown, type Check } from './first-fault.ts';
import { safeFileName, withExtension } from './safe-file-name.ts';
import { textOf } from './text-of.ts';
import { isFilled } from './white-space.ts';

// Seed 1's order and sentences.
const CHECKS: readonly Check[] = [
  refuseUnknown(['title', 'body', 'filename']),
  ({ body }) => (isFilled(body) ? undefined : { path: '/body', message: 'body must be a non-empty string' }),
  ({ body }) =>
    isFilled(body) && !isWithin(body, MAX_BODY_CHARACTERS)
      ? {
          path: '/body',
          message: `body must be at most ${MAX_BODY_CHARACTERS.toLocaleString('en-US')} characters`,
        }
      : undefined,
  // Null passes here, as in the seed; the schema refuses it.
  ({ title }) =>
    title === undefined || title === null || typeof title === 'string'
      ? undefined
      : { path: '/title', message: 'title must be a string' },
];

/** `create_pdf@1` of seed 1: text into a PDF file. Runs in the typesetter's threads. */
export function createPdfTool(typesetter: Typesetter): Tool {
  return {
    spec: CREATE_PDF_SPEC,
    check: (args) => firstFault(args, CHECKS),
    execute: (args, context) => createPdf(args, context, typesetter),
  };
}

async function createPdf(
  args: JsonObject,
  { signal }: ExecuteContext,
  typesetter: Typesetter,
): Promise<ToolResult> {
  const title = Array.from(textOf(args['title']).trim()).slice(0, MAX_TITLE_CHARACTERS).join('');
  const { bytes, pages, undrawn } = await typesetter.typeset(
    { title, language: 'en', blocks: [{ kind: 'lines', text: textOf(args['body']) }] },
    signal,
  );
  return {
    status: 'ok',
    output: {
      created: true,
      pages,
      ...(undrawn ? { undrawn: { count: undrawn.count, characters: undrawn.characters } } : {}),
    },
    file: {
      name: withExtension(safeFileName(args['filename'], 'document'), '.pdf'),
      mediaType: 'application/pdf',
      bytes,
    },
  };
}
