import type { JsonObject } from '../core/json.ts';
import type { ToolSpec } from '../core/tool.ts';
import { createToolSchemaBuilder } from '../describe/tool-schema-builder.ts';

/** Code points; a longer bundled file comes as the artifact instead. As long as a skill's body may be. */
export const MAX_FILE_TEXT_CHARACTERS = 50_000;

const DESCRIPTION =
  'Reads a skill: a text that says how to do a kind of work. Arguments: name, one of the skills that the index lists, ' +
  'required; file, the path of one bundled file, optional. Without file it returns the body of the skill and the list ' +
  'of its files; with file it returns that file. Use it before a task that the description of a skill fits, and read a ' +
  'bundled file only when the body sends you there. Do not use it to look for skills that the index does not list, and ' +
  'do not read the same skill twice.';

const RETURNED: JsonObject = {
  name: { type: 'string', description: 'Name of the skill.' },
  body: { type: 'string', description: 'Markdown; without `file`.' },
  files: {
    type: 'array',
    description: 'Without `file`: what else belongs to the skill.',
    items: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        size_bytes: { type: 'integer' },
        media_type: { type: 'string' },
      },
    },
  },
  file: { type: 'string', description: 'With `file`: its path.' },
  text: {
    type: 'string',
    description: `With \`file\`: its text. A file that is no text or has over ${MAX_FILE_TEXT_CHARACTERS.toLocaleString('en-US')} characters comes as the artifact instead.`,
  },
  third_party: {
    type: 'boolean',
    description: 'True when the text is not from the makers of this service.',
  },
};

/** `read_skill@1` as models and operators read it. */
export const READ_SKILL_SPEC: ToolSpec = {
  ...createToolSchemaBuilder('read_skill')
    .setDescription(
      'Reads the full text of a methodology skill, or one of the files that belong to it.',
      DESCRIPTION,
    )
    .addTrigger('the description of a skill in the index fits the task')
    .addTrigger('a skill says to read one of its files')
    .addParameter('name', {
      type: 'string',
      description: 'Name of the skill, as the index has it.',
      required: true,
      schema: { minLength: 1, maxLength: 64 },
    })
    .addParameter('file', {
      type: 'string',
      description: 'Path of a bundled file, exactly as `files` lists it.',
      schema: { minLength: 1, maxLength: 255 },
    })
    .addExample('Find the root cause of this defect.', { name: '5-why-walkthrough' })
    .addExample('Show me the worksheet of the 5-why skill.', {
      name: '5-why-walkthrough',
      file: 'references/worksheet.md',
    })
    .setReturns('object', 'The body and the files, or the text of the one file that was asked for.', RETURNED)
    .addError(
      'INVALID_INPUT',
      'There is no skill, or no file, of that name; `message` lists what there is.',
      'Use one of the names in `message`, exactly as it stands there.',
    )
    .build(),
  version: '1',
  kind: 'tool',
  origin: 'builtin',
  lane: 'inline',
  usesShelf: true,
  produces: ['text/plain', 'text/markdown', 'application/octet-stream'],
};
