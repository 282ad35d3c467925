import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { onTestFinished } from 'vitest';

import { EMPTY_SHELF } from '../../src/core/shelf.ts';
import type { ExecuteContext, Origin } from '../../src/core/tool.ts';
import { createHandlerTable, type HandlerTable } from '../../src/skills/handlers/handler-table.ts';
import { loadRepository, type LoadedRepository } from '../../src/skills/load-repository.ts';
import { LOCK_FILE, writeLock } from '../../src/skills/lock-file.ts';
import { planPins } from '../../src/skills/plan-pins.ts';

export const SHIPPED = join(import.meta.dirname, '../../skills');
export const FIXTURES = join(import.meta.dirname, '../fixtures/skills');

/** Handlers whose PDFs are never set. */
export const HANDLERS: HandlerTable = createHandlerTable({
  typeset: () => Promise.reject(new Error('no PDF is set in this test')),
});

export function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'skills-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export type Files = Readonly<Record<string, string | Buffer>>;

/** Writes the files of one skill and returns its directory. */
export function writeSkill(root: string, name: string, files: Files): string {
  const directory = join(root, name);
  mkdirSync(directory, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
    chmodSync(join(directory, path), 0o644);
  }
  return directory;
}

export function skillMd(
  name: string,
  description = 'Does a thing. Use it when the thing is wanted.',
): string {
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n# How\n\nDo it.\n`;
}

export function toolJson(changes: Readonly<Record<string, unknown>> = {}): string {
  const tool = {
    tool_id: 'make_note',
    version: '1',
    handler: 'render_markdown',
    input_schema: {
      type: 'object',
      additionalProperties: false,
      required: ['title'],
      properties: { title: { type: 'string' }, lines: { type: 'array', items: { type: 'string' } } },
    },
    output: { media_type: 'text/markdown', file_name: 'note-{{title}}.md', template: 'templates/note.md' },
    ...changes,
  };
  return JSON.stringify(tool, undefined, 2);
}

const NOTE_TEMPLATE = '# {{title}}\n\n{{#lines}}\n- {{.}}\n{{/lines}}\n';

/** An executable skill that makes a note. */
export function noteSkill(name = 'make-note', changes: Readonly<Record<string, unknown>> = {}): Files {
  return { 'SKILL.md': skillMd(name), 'tool.json': toolJson(changes), 'templates/note.md': NOTE_TEMPLATE };
}

/** A methodology skill with a file of each kind. */
export function methodSkill(name = 'do-it-well'): Files {
  return {
    'SKILL.md': skillMd(name),
    'references/more.md': '# More\n',
    'assets/dot.bin': Buffer.from([0, 255, 1, 254]),
    'scripts/run.sh': '#!/bin/sh\nexit 1\n',
  };
}

/** Writes the lock file as `skills pin` does. */
export function pin(root: string): void {
  const { pins, faults } = planPins(root);
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
  writeFileSync(join(root, LOCK_FILE), writeLock(pins));
}

export function load(root: string, origin: Origin = 'repository'): LoadedRepository {
  return loadRepository({ root, origin, handlers: HANDLERS });
}

export function copyTo(source: string): string {
  const root = makeDirectory();
  cpSync(source, root, { recursive: true });
  return root;
}

export const CONTEXT: ExecuteContext = {
  signal: new AbortController().signal,
  files: [],
  deadline: Number.POSITIVE_INFINITY,
  shelf: EMPTY_SHELF,
  log: () => undefined,
};
