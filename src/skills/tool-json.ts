import { Type, type Static } from 'typebox';

import { findConcealedInJson } from '../core/concealed-in-json.ts';
import { quote } from '../core/quote.ts';
import { isVersion, NAME_PATTERN, VERSION_PATTERN } from '../core/ref.ts';
import { createJsonReader, type ShapedJson } from './json-reader.ts';

export const TOOL_FILE = 'tool.json';

const Text = Type.String({ minLength: 1, maxLength: 2000 });
const Texts = Type.Array(Text, { maxItems: 50 });
const AnyObject = Type.Object({});

const closed = { additionalProperties: false };

const output = {
  media_type: Type.String({ pattern: '^[a-z]+/[a-z0-9.+-]+$', maxLength: 100 }),
  /** A Mustache text with a literal ending: `report-{{date}}.pdf`. */
  file_name: Type.String({ minLength: 3, maxLength: 200 }),
  /** A path inside the skill directory. */
  template: Type.String({ minLength: 1, maxLength: 255 }),
  /** BCP 47; default `en`. */
  language: Type.Optional(Type.String({ pattern: '^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$' })),
};

/** Another output, made by a handler of its own when an argument says so. */
const VariantSchema = Type.Object({ handler: Text, ...output }, closed);

const OutputSchema = Type.Object(
  {
    ...output,
    variants: Type.Optional(
      Type.Object({ argument: Text, outputs: Type.Record(Type.String(), VariantSchema) }, closed),
    ),
  },
  closed,
);

/** `tool.json`: what makes a skill callable. Its description is that of SKILL.md. */
export const ToolJsonSchema = Type.Object(
  {
    tool_id: Type.String({ pattern: NAME_PATTERN }),
    version: Type.String({ pattern: VERSION_PATTERN }),
    handler: Text,
    input_schema: AnyObject,
    output: OutputSchema,
    triggers: Type.Optional(Texts),
    examples: Type.Optional(
      Type.Array(Type.Object({ input: Text, arguments: AnyObject }, closed), { maxItems: 20 }),
    ),
    returns: Type.Optional(
      Type.Object({ type: Text, description: Text, properties: Type.Optional(AnyObject) }, closed),
    ),
    errors: Type.Optional(
      Type.Array(Type.Object({ code: Text, description: Text, resolution: Text }, closed), { maxItems: 50 }),
    ),
  },
  closed,
);

export type ToolJson = Static<typeof ToolJsonSchema>;
export type OutputJson = Static<typeof VariantSchema>;

const read = createJsonReader(ToolJsonSchema);

/** Reads `tool.json`; everything but the handlers and templates that it names is checked. */
export function readToolJson(bytes: Buffer): ShapedJson<ToolJson> {
  const json = read(bytes, TOOL_FILE);
  if (!json.ok) return json;
  const { value, noteAt } = json;
  const faults = [];
  if (!isVersion(value.version)) {
    faults.push(noteAt('/version', `${quote(value.version)} is no version: it would not stay the same.`));
  }
  if ((value.input_schema as { type?: unknown }).type !== 'object') {
    faults.push(noteAt('/input_schema', 'must have "type": "object", for arguments are an object.'));
  }
  const concealed = findConcealedInJson(value);
  if (concealed !== undefined) {
    const { pointer, told } = concealed;
    faults.push(noteAt(pointer, `holds characters that a reader cannot see: ${told}. Take them out.`));
  }
  return faults.length > 0 ? { ok: false, faults } : json;
}
