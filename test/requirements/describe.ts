/** Rows of the brief about what a model sees. Each id is cited by the title of at least one test. */
export const DESCRIBE_REQUIREMENTS = [
  { id: 'S3-1', text: 'Build a spec, render it, score it, write errors: five exports in one workflow.' },
  {
    id: 'S3-2',
    text: 'A tool is known by its shape; objects from elsewhere with the same members work too.',
  },
  {
    id: 'S3-3',
    text: 'The document has a fixed order: name, description, When to Use, Parameters, Returns, Errors.',
  },
  { id: 'S3-4', text: 'When to Use lists triggers, then examples; nothing gives an empty section.' },
  {
    id: 'S3-5',
    text: 'A parameter shows type, required or optional, description, and a default only if there is one.',
  },
  { id: 'S3-6', text: 'Returns and Errors have one line each, and a sentence where nothing is documented.' },
  { id: 'S3-7', text: 'The builder is fluent; what it built does not change afterwards.' },
  { id: 'S3-8', text: 'Five criteria, each from 0 to 1, by fixed formulas.' },
  { id: 'S3-9', text: 'The formulas give the known values, the 0.60 ceiling included.' },
  {
    id: 'S3-10',
    text: 'Three error templates with their keys; an unknown type is written as INVALID_INPUT.',
  },
  { id: 'S3-11', text: 'Error texts come out for every value: quotes, braces, line breaks, missing keys.' },
  { id: 'S3-12', text: 'concise and detailed are the two response formats; identifiers show their pattern.' },
  { id: 'S3-13', text: 'Every public function says what it is for.' },
  { id: 'S3.3-1', text: 'Every tool renders, with unions, falsy defaults, enum, bounds and pattern.' },
  {
    id: 'S3.3-2',
    text: 'concise and detailed are the two words for how much is said; another is 400 and names them.',
  },
  { id: 'S3.3-3', text: 'Every shipped description is scored in CI, with the terms found.' },
  {
    id: 'S3.3-4',
    text: 'One builder of errors: formats values, never throws, shows what was received cut short and escaped.',
  },
  { id: 'S3.3-5', text: 'Every error code has a resolution.' },
  {
    id: 'S3.3-6',
    text: 'Names of own tools and parameters keep one style; names of packages may have hyphens.',
  },
  { id: 'S3.3-7', text: 'package:command is taken wherever a ref is.' },
  { id: 'S3.3-8', text: 'Two tools with nearly the same description are reported.' },
  { id: 'S3.3-9', text: 'OpenAPI has the words and the schema of describe.' },
  { id: 'S3.3-10', text: 'List and describe have the same order and bytes each time.' },
  {
    id: 'S3.3-11',
    text: 'Templates per section, empty cases, falsy defaults, enum, all score vectors, all error templates.',
  },
  { id: 'S2-33', text: 'The prompt names each tool with description and JSON schema; no tools, no text.' },
] as const;
