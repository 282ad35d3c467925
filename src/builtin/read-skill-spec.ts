import type { ToolSpec } from '../core/tool.ts';

/** Code points; a longer bundled file comes as the artifact instead. As long as a skill's body may be. */
export const MAX_FILE_TEXT_CHARACTERS = 50_000;

/** `read_skill@1` as models and operators read it. */
export const READ_SKILL_SPEC: ToolSpec = {
  name: 'read_skill',
  version: '1',
  kind: 'tool',
  origin: 'builtin',
  summary: 'Reads the full text of a methodology skill, or one of the files that belong to it.',
  description:
    'Reads a skill: a text that says how to do something. Arguments: name, one of the skills that the index lists, ' +
    'required; file, the path of one bundled file, optional. Without file it returns the body of the skill and the list ' +
    'of its files; with file it returns that file. Use it before a task that the description of a skill fits, and read a ' +
    'bundled file only when the body sends you there. Do not use it to look for skills that the index does not list, and ' +
    'do not read the same skill twice.',
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      name: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        description: 'Name of the skill, as the index has it.',
      },
      file: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        description: 'Path of a bundled file, exactly as `files` lists it.',
      },
    },
    required: ['name'],
  },
  lane: 'inline',
  usesShelf: true,
  triggers: [
    'the description of a skill in the index fits the task',
    'a skill says to read one of its files',
  ],
  examples: [
    { input: 'Find the root cause of this defect.', arguments: { name: '5-why-walkthrough' } },
    {
      input: 'Show me the worksheet of the 5-why skill.',
      arguments: { name: '5-why-walkthrough', file: 'references/worksheet.md' },
    },
  ],
  returns: {
    type: 'object',
    description: 'The body and the files, or the text of the one file that was asked for.',
    properties: {
      name: { type: 'string' },
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
    },
  },
  errors: [
    {
      code: 'INVALID_INPUT',
      description: 'There is no skill, or no file, of that name; `message` lists what there is.',
      resolution: 'Use one of the names in `message`, exactly as it stands there.',
    },
  ],
  produces: ['text/plain', 'text/markdown', 'application/octet-stream'],
};
