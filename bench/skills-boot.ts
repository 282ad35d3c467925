import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createHandlerTable } from '../src/skills/handlers/handler-table.ts';
import { loadRepository } from '../src/skills/load-repository.ts';
import { LOCK_FILE, writeLock } from '../src/skills/lock-file.ts';
import { planPins } from '../src/skills/plan-pins.ts';
import { median } from './support/load.ts';
import type { Row } from './support/row.ts';

const ROUNDS = 9;
const AIM = 2.5;
const SIZES = [100, 1000, 10_000];

const handlers = createHandlerTable({ typeset: () => Promise.reject(new Error('nothing is typeset')) });

/** Booting generated skills of five files each against reading and hashing the same files with nothing else, in turn. */
export function benchSkillsBoot(): Row[] {
  return SIZES.map((count) => {
    const root = mkdtempSync(join(tmpdir(), 'bench-skills-'));
    try {
      makeSkills(root, count);
      return measure(root, count);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
}

function measure(root: string, count: number): Row {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const pair = { bare: time(() => readAndHash(root)), ours: time(() => boot(root, count)) };
    // The first round warms both up.
    if (round === 0) continue;
    ours.push(pair.ours);
    bare.push(pair.bare);
  }
  const ratio = median(ours.map((value, index) => value / (bare[index] ?? Number.NaN)));
  return {
    what: `booting ${count} skills of 5 files against reading and hashing their files (ms)`,
    ours: median(ours).toFixed(1),
    bare: median(bare).toFixed(1),
    ratio,
    aim: `at most ${AIM}`,
    met: ratio <= AIM,
  };
}

function boot(root: string, count: number): void {
  const { tools, methodology, integrityFaults } = loadRepository({
    root,
    origin: 'directory:bench',
    handlers,
  });
  if (tools.length + methodology.length !== count) throw new Error(JSON.stringify(integrityFaults[0]));
}

function readAndHash(root: string): void {
  for (const skill of readdirSync(root, { withFileTypes: true })) {
    if (skill.isDirectory()) readDirectory(join(root, skill.name));
  }
}

function readDirectory(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) readDirectory(path);
    else createHash('sha256').update(readFileSync(path)).digest('hex');
  }
}

function time(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Half are executable, half are methods; a body of 2 KB, as skills have. */
function makeSkills(root: string, count: number): void {
  for (let n = 0; n < count; n += 1) {
    const name = `skill-${n}`;
    const files = n % 2 === 0 ? executable(n) : method(n);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(root, name, path, '..'), { recursive: true });
      writeFileSync(join(root, name, path), text);
    }
  }
  writeFileSync(join(root, LOCK_FILE), writeLock(planPins(root).pins));
}

const PARAGRAPH =
  'Do this first, then that, and write down what came of it before you go on to the next one.\n\n';

function skillMd(n: number): string {
  const description = `Makes note number ${n} out of a title and lines. Use when a note is wanted. Do not use it twice.`;
  return `---\nname: skill-${n}\ndescription: "${description}"\nlicense: MIT\n---\n\n# How\n\n${PARAGRAPH.repeat(20)}`;
}

function executable(n: number): Readonly<Record<string, string>> {
  const tool = {
    tool_id: `make_note_${n}`,
    version: '1',
    handler: 'render_markdown',
    input_schema: {
      type: 'object',
      additionalProperties: false,
      required: ['title'],
      properties: {
        title: { type: 'string', maxLength: 100, description: 'The heading of the note.' },
        lines: { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 1000 } },
      },
    },
    output: {
      media_type: 'text/markdown',
      file_name: 'note-{{title}}.md',
      template: 'templates/note.md.mustache',
    },
    triggers: ['the user wants a note'],
  };
  return {
    'SKILL.md': skillMd(n),
    'tool.json': `${JSON.stringify(tool, undefined, 2)}\n`,
    'templates/note.md.mustache':
      '# {{title}}\n\n{{#has_lines}}\n## Lines\n\n{{#lines}}\n- {{.}}\n{{/lines}}\n\n{{/has_lines}}\nThe end.\n',
    'references/more.md': PARAGRAPH.repeat(10),
    'LICENSE.txt': PARAGRAPH.repeat(5),
  };
}

function method(n: number): Readonly<Record<string, string>> {
  return {
    'SKILL.md': skillMd(n),
    'references/one.md': PARAGRAPH.repeat(10),
    'references/two.md': PARAGRAPH.repeat(10),
    'assets/form.csv': 'a,b,c\n'.repeat(100),
    'LICENSE.txt': PARAGRAPH.repeat(5),
  };
}
