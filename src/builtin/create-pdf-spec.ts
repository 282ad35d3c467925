import type { JsonObject } from '../core/json.ts';
import type { ToolSpec } from '../core/tool.ts';
import { createToolSchemaBuilder } from '../describe/tool-schema-builder.ts';
import { MAX_FILE_NAME_CHARACTERS } from './safe-file-name.ts';

/** Code points (seed 1). */
export const MAX_BODY_CHARACTERS = 12_000;
/** Code points; a longer title is cut, not refused (seed 1). */
export const MAX_TITLE_CHARACTERS = 160;

const BODY_LIMIT = MAX_BODY_CHARACTERS.toLocaleString('en-US');

const DESCRIPTION =
  'Turns text that is already written into a PDF file (A4) that the user can download. Arguments: ' +
  `body, the text, required, at most ${BODY_LIMIT} characters; title, an optional heading, of which the first ` +
  `${MAX_TITLE_CHARACTERS} characters are used; filename, an optional name of which ${MAX_FILE_NAME_CHARACTERS} ` +
  'characters are kept. Line breaks are kept, long lines wrap, Markdown is printed as written. Use only when ' +
  'the user wants a document or a file. Do not use it to answer an ordinary question, and do not call it twice ' +
  'for one document: the file from the first call already reaches the user.';

const RETURNED: JsonObject = {
  created: { type: 'boolean', const: true, description: 'Always true.' },
  pages: { type: 'integer', minimum: 1, description: 'Pages in the file.' },
  undrawn: {
    type: 'object',
    description:
      'Only when some characters have no glyph in the fonts (Latin, Greek, Cyrillic, common signs): they show as boxes. ' +
      'How many, and which, as U+XXXX, at most 50.',
    properties: {
      count: { type: 'integer', minimum: 1 },
      characters: { type: 'array', items: { type: 'string' }, maxItems: 50 },
    },
  },
};

/** `create_pdf@1` as models and operators read it. */
export const CREATE_PDF_SPEC: ToolSpec = {
  ...createToolSchemaBuilder('create_pdf')
    .setDescription('Turns finished text into a PDF file that the user can download.', DESCRIPTION)
    .addTrigger('the user asks for a PDF of a text')
    .addTrigger('the user wants a letter or a report as a document or a file to download')
    .addParameter('body', {
      type: 'string',
      description: `The whole text of the document, plain, with line breaks; at most ${BODY_LIMIT} characters.`,
      required: true,
      schema: { minLength: 1, maxLength: MAX_BODY_CHARACTERS },
    })
    .addParameter('title', {
      type: 'string',
      description: `Heading on the first page and title of the file; cut after ${MAX_TITLE_CHARACTERS} characters.`,
    })
    .addParameter('filename', {
      type: 'string',
      description:
        `Name for the download; ".pdf" is added. Letters, digits, "-", "_" and "." are kept, at most ` +
        `${MAX_FILE_NAME_CHARACTERS} characters; default "document".`,
    })
    .addExample('Put my cover letter into a PDF.', {
      title: 'Cover letter',
      body: 'Dear Ms Keller, I am applying for the position of lab technician.\n\n- Jo Weber',
      filename: 'cover-letter',
    })
    .addExample('Save the note "buy milk" as a PDF.', { body: 'Buy milk.' })
    .setReturns('object', 'What was made; the PDF itself comes beside these as the artifact.', RETURNED)
    .addError(
      'INVALID_INPUT',
      `body is missing, blank or longer than ${BODY_LIMIT} characters, or an argument is unknown or no text.`,
      'Mend the argument that the message names. Split a longer text into several documents.',
    )
    .addError(
      'TIMEOUT',
      'The text could not be set within the time limit.',
      'Call again, or send a shorter text.',
    )
    .build(),
  version: '1',
  kind: 'skill',
  origin: 'builtin',
  lane: 'worker',
  produces: ['application/pdf'],
};
