import { describeConcealed, findConcealed } from '../core/concealed.ts';
import { quote } from '../core/quote.ts';
import { readFrontMatter } from './front-matter.ts';
import { decodeText } from './decode-text.ts';
import { SKILL_LIMITS } from './limits.ts';
import type { SkillNote } from './skill-fault.ts';
import type { YamlField } from './strict-yaml.ts';

export const SKILL_FILE = 'SKILL.md';

/** What SKILL.md says, or why it cannot be used. With faults, the texts are what could be read of them. */
export interface SkillMd {
  readonly name: string;
  readonly description: string;
  readonly body: string;
  readonly faults: readonly SkillNote[];
  readonly findings: readonly SkillNote[];
}

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u;
const KNOWN_FIELDS = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'];
const QUOTE_IT = 'Quote it.';

/** Reads SKILL.md by the Agent Skills specification (agentskills.io/specification). `directory` is the bare directory name; no bytes: no file. */
export function readSkillMd(bytes: Buffer | undefined, directory: string): SkillMd {
  if (bytes === undefined) return refuse('is missing. Every skill directory holds one.');
  const decoded = decodeText(bytes);
  if (!decoded.ok) return refuse(decoded.message);
  const parts = readFrontMatter(decoded.text, SKILL_FILE);
  if (parts.faults.length > 0) return { ...refuse(''), faults: parts.faults, findings: parts.findings };
  const name = readText(parts.fields, 'name');
  const description = readText(parts.fields, 'description');
  const faults = [
    ...name.faults,
    ...description.faults,
    ...(name.faults.length === 0 ? checkName(name, directory) : []),
    ...(description.faults.length === 0 ? checkDescription(description) : []),
    ...checkBody(parts.body),
  ];
  const findings = [...parts.findings, ...[...parts.fields.values()].flatMap(reportField)];
  return { name: name.text, description: description.text.trim(), body: parts.body, faults, findings };
}

function refuse(message: string): SkillMd {
  return { name: '', description: '', body: '', faults: [{ file: SKILL_FILE, message }], findings: [] };
}

interface TextField {
  readonly text: string;
  readonly place: { readonly file: string; readonly line?: number; readonly column?: number };
  readonly faults: readonly SkillNote[];
}

function readText(fields: ReadonlyMap<string, YamlField>, key: string): TextField {
  const field = fields.get(key);
  if (field === undefined) {
    return {
      text: '',
      place: { file: SKILL_FILE },
      faults: [
        {
          file: SKILL_FILE,
          line: 1,
          column: 1,
          message: `${key} is missing. Add a line \`${key}: …\` to the front matter.`,
        },
      ],
    };
  }
  const place = { file: SKILL_FILE, line: field.line, column: field.column };
  if (typeof field.value === 'string') return { text: field.value, place, faults: [] };
  return { text: '', place, faults: [{ ...place, message: describeNotText(key, field) }] };
}

function describeNotText(key: string, { value, written }: Partial<YamlField>): string {
  const isScalar = typeof value !== 'object' && value !== undefined;
  return `${key} must be a string, not ${written ?? quote(value)}. ${isScalar ? QUOTE_IT : 'Write it as one text.'}`;
}

function checkName({ text, place }: TextField, directory: string): readonly SkillNote[] {
  if (Array.from(text).length > SKILL_LIMITS.maxNameCharacters) {
    return [
      {
        ...place,
        message: `name has more than ${SKILL_LIMITS.maxNameCharacters} characters: ${quote(text)}. Shorten it and the directory.`,
      },
    ];
  }
  if (!NAME.test(text)) {
    return [
      {
        ...place,
        message: `name ${quote(text)} must be lower-case letters a-z, digits and single hyphens between them. Rename it and the directory.`,
      },
    ];
  }
  if (text === directory) return [];
  return [
    {
      ...place,
      message: `name ${quote(text)} must equal the directory, which is ${quote(directory)}. Rename one of them.`,
    },
  ];
}

function checkDescription({ text, place }: TextField): readonly SkillNote[] {
  const length = Array.from(text.trim()).length;
  if (length === 0)
    return [{ ...place, message: 'description is empty. Say what the skill does and when to use it.' }];
  if (length > SKILL_LIMITS.maxDescriptionCharacters) {
    return [
      {
        ...place,
        message: `description has ${length} characters; at most ${SKILL_LIMITS.maxDescriptionCharacters} are allowed. Shorten it.`,
      },
    ];
  }
  const concealed = findConcealed(text);
  if (concealed.length === 0) return [];
  return [
    {
      ...place,
      message: `description holds characters that a reader cannot see: ${describeConcealed(concealed)}. Take them out.`,
    },
  ];
}

function checkBody(body: string): readonly SkillNote[] {
  const limit = SKILL_LIMITS.maxBodyCharacters;
  if (body.length <= limit) return [];
  const length = Array.from(body).length;
  if (length <= limit) return [];
  return [
    {
      file: SKILL_FILE,
      message: `the body has ${length} characters; at most ${limit} are allowed, and it is never cut. Move parts of it to references/.`,
    },
  ];
}

/** What the broker does not use is reported, not refused. */
function reportField(field: YamlField): readonly SkillNote[] {
  const place = { file: SKILL_FILE, line: field.line, column: field.column };
  if (field.key === 'name' || field.key === 'description') return [];
  if (!KNOWN_FIELDS.includes(field.key)) {
    const advice =
      typeof field.value === 'number'
        ? ` Its value ${field.written ?? quote(field.value)} is a number: quote it.`
        : '';
    return [
      {
        ...place,
        message: `${quote(field.key)} is not a field of the specification and is ignored.${advice} Known: ${KNOWN_FIELDS.join(', ')}.`,
      },
    ];
  }
  if (field.key === 'metadata') return reportMetadata(field, place);
  if (typeof field.value !== 'string') return [{ ...place, message: describeNotText(field.key, field) }];
  const tooLong = field.key === 'compatibility' && Array.from(field.value).length > 500;
  return tooLong ? [{ ...place, message: 'compatibility has more than 500 characters. Shorten it.' }] : [];
}

function reportMetadata(
  { value }: YamlField,
  place: { file: string; line: number; column: number },
): readonly SkillNote[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ ...place, message: `metadata must be a map of strings, not ${quote(value)}.` }];
  }
  const wrong = Object.entries(value).filter(([, inner]) => typeof inner !== 'string');
  const { file, line, column } = place;
  return wrong.map(([key, inner]) => {
    return { file, line, column, message: describeNotText(`metadata ${quote(key)}`, { value: inner }) };
  });
}
