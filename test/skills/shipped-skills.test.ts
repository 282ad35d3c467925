import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import ICAL from 'ical.js';
import MarkdownIt from 'markdown-it';
import { afterAll, describe, expect, it } from 'vitest';

import type { JsonObject } from '../../src/core/json.ts';
import { formatRef } from '../../src/core/ref.ts';
import type { ToolFile } from '../../src/core/artifact.ts';
import { lintSkill } from '../../src/skills/lint-skill.ts';
import { loadSkills } from '../../src/skills/load-skills.ts';
import { planPins } from '../../src/skills/plan-pins.ts';
import { createTypesetter } from '../../src/typeset/typesetter.ts';
import { hasProgram } from './has-program.ts';
import { CONTEXT, SHIPPED } from './skill-dirs.ts';

const typesetter = createTypesetter({ maxThreads: 1 });
afterAll(() => typesetter.close());
const loaded = loadSkills({ shippedRoot: SHIPPED, directories: [], typesetter });
const tools = new Map(loaded.tools.map((tool) => [tool.spec.name, tool]));

async function make(
  name: string,
  args: JsonObject,
): Promise<{ output: JsonObject; file: ToolFile; text: string }> {
  const result = await tools.get(name)?.execute(args, CONTEXT);
  if (result?.status !== 'ok' || result.file === undefined) throw new Error(JSON.stringify(result));
  return { output: result.output, file: result.file, text: Buffer.from(result.file.bytes).toString('utf8') };
}

const HOSTILE = '<script>x</script> | # *b*\n\n- =1+1 \u202E';

describe('the shipped repository', () => {
  it('[S1-17 S2-13] is pinned, whole, and holds four executable skills and three methods', () => {
    expect(loaded.tools.map(({ spec }) => formatRef(spec)).sort()).toEqual([
      'action_list@1',
      'incident_report@1',
      'meeting_minutes@1',
      'status_update@1',
    ]);
    expect(loaded.methodology.map(({ name }) => name)).toEqual([
      '5-why-walkthrough',
      'fishbone-6m',
      'stop-the-line-checklist',
    ]);
    expect([loaded.refusals, loaded.findings]).toEqual([[], []]);
    expect(loaded.statuses).toEqual([{ origin: 'repository', status: '7 skills loaded and digest-checked' }]);
    expect(planPins(SHIPPED).changes).toEqual([]);
  });

  it.each([
    '5-why-walkthrough',
    'action-list',
    'fishbone-6m',
    'incident-report',
    'meeting-minutes',
    'status-update',
    'stop-the-line-checklist',
  ])('lint finds nothing in %s', (name) => expect(lintSkill(join(SHIPPED, name))).toEqual([]));

  it('[S2-4] SKILL.md of a method has a name, a description and a licence, and the files it sends a reader to are there', () => {
    for (const { name, body, files } of loaded.methodology) {
      for (const [, path] of body.matchAll(/`(references\/[a-z-]+\.md)`/gu)) {
        expect([name, files.has(path ?? '')]).toEqual([name, true]);
      }
      expect(body.split('\n').length).toBeLessThan(500);
    }
  });
});

describe.each([...tools.values()].map((tool) => [formatRef(tool.spec), tool] as const))(
  '%s',
  (_ref, tool) => {
    const ajv = new Ajv2020({ strict: true, allErrors: true });
    addFormats.default(ajv);
    const validate = ajv.compile(tool.spec.inputSchema as object);

    it('[S1-33] says when to use it, when not, and not twice, in a description that a model can take in', () => {
      expect(tool.spec.description).toMatch(/Use (?:it )?when/u);
      expect(tool.spec.description).toMatch(/Do not use it/u);
      expect(tool.spec.description).toMatch(/do not call it twice|call once for each/u);
      expect(tool.spec.description.length).toBeLessThan(600);
      expect(tool.spec.triggers?.length).toBeGreaterThan(0);
    });

    it('has examples that satisfy its schema and make a file of a declared type', async () => {
      for (const example of tool.spec.examples ?? []) {
        validate(example.arguments);
        expect(validate.errors).toBeNull();
        const { output, file } = await make(tool.spec.name, example.arguments);
        expect(output).toMatchObject({ created: true, file_name: file.name });
        expect(tool.spec.produces).toContain(file.mediaType);
        expect(file.name).toMatch(/^[\p{L}\p{N}._-]{5,90}$/u);
      }
    });

    it('refuses arguments that it does not know', () => {
      const [example] = tool.spec.examples ?? [];
      expect(validate({ ...example?.arguments, surprise: 1 })).toBe(false);
      expect(validate({})).toBe(false);
    });
  },
);

describe('status_update@1', () => {
  it('makes Markdown in which nothing that was put in changes the outline', async () => {
    const args = {
      project: HOSTILE,
      status: 'At risk',
      period: HOSTILE,
      date: '2026-03-13',
      summary: HOSTILE,
      progress: [HOSTILE],
      next_steps: [{ what: HOSTILE, owner: HOSTILE }],
      risks: [{ risk: HOSTILE }],
      decisions_needed: [HOSTILE],
    };
    const { text } = await make('status_update', args);
    const outline = new MarkdownIt({ html: true }).parse(text, {}).map(({ type, tag }) => `${type} ${tag}`);
    expect(outline.filter((line) => /heading_open|table_open|list_open|html|fence|hr/u.test(line))).toEqual([
      'heading_open h1',
      'table_open table',
      'heading_open h2',
      'heading_open h2',
      'bullet_list_open ul',
      'heading_open h2',
      'table_open table',
      'heading_open h2',
      'table_open table',
      'heading_open h2',
      'bullet_list_open ul',
    ]);
  });

  it('leaves out the sections that are empty', async () => {
    const { text } = await make('status_update', {
      project: 'P',
      status: 'Done',
      period: 'x',
      date: '2026-03-13',
      summary: 'S',
    });
    expect(text).toBe(
      '# P: status update\n\n| Status | Period | Prepared |\n| :----- | :----- | :------- |\n| **Done** | x | 2026-03-13 |\n\n## Summary\n\nS\n',
    );
  });
});

describe('meeting_minutes@1', () => {
  it('makes a page that loads nothing and holds no script, whatever was put in', async () => {
    const { text } = await make('meeting_minutes', {
      title: HOSTILE,
      date: '2026-03-11',
      attendees: [HOSTILE, '"><img src=x onerror=alert(1)>'],
      decisions: [HOSTILE],
      actions: [{ what: HOSTILE }],
      agenda: [{ topic: HOSTILE, discussion: HOSTILE }],
    });
    expect(text).not.toMatch(/<(?:script|img|link|iframe|a)\b|@import|url\(|https?:/iu);
    expect(text).toContain("default-src 'none'");
  });
});

describe('action_list@1', () => {
  const actions = [
    {
      id: '1',
      action: 'Write, "quoted"\nsecond line',
      owner: '=HYPERLINK("x")',
      due: '2026-03-20',
      note: 'é 日本',
    },
    { action: 'Book' },
  ];

  it.skipIf(!hasProgram('python3'))("makes a CSV that Python's csv reads back", async () => {
    const { file, output } = await make('action_list', { title: 'Launch', actions });
    const script =
      'import csv,json,sys,io;print(json.dumps(list(csv.DictReader(io.StringIO(sys.stdin.buffer.read().decode("utf-8"),newline="")))))';
    const rows = JSON.parse(
      execFileSync('python3', ['-c', script], { input: file.bytes, encoding: 'utf8' }),
    ) as unknown;
    expect(rows).toEqual([
      {
        ID: '1',
        Action: 'Write, "quoted"\nsecond line',
        Owner: `'=HYPERLINK("x")`,
        Due: '2026-03-20',
        Priority: '',
        Status: 'Open',
        Note: 'é 日本',
      },
      { ID: '', Action: 'Book', Owner: '', Due: '', Priority: '', Status: 'Open', Note: '' },
    ]);
    expect([file.mediaType, file.name, output]).toEqual([
      'text/csv',
      'actions-Launch.csv',
      { created: true, file_name: 'actions-Launch.csv', rows: 2 },
    ]);
  });

  it('makes a calendar by the argument `format`', async () => {
    const { file, text, output } = await make('action_list', {
      title: 'Launch',
      format: 'calendar',
      date: '2026-03-01',
      actions,
    });
    expect([file.mediaType, file.name]).toEqual(['text/calendar', 'actions-Launch.ics']);
    expect(output).toEqual({ created: true, file_name: 'actions-Launch.ics', events: 1, without_date: 1 });
    const [event] = new ICAL.Component(ICAL.parse(text) as never)
      .getAllSubcomponents('vevent')
      .map((part) => new ICAL.Event(part));
    expect(event?.summary).toBe('1: Write, "quoted" second line (=HYPERLINK("x"))');
    expect(event?.startDate.toString()).toBe('2026-03-20');
  });

  it('[S1-T11] answers an impossible date as an input error', async () => {
    const args = { title: 'x', format: 'calendar', actions: [{ action: 'a', due: '2026-02-30' }] };
    expect(await tools.get('action_list')?.execute(args, CONTEXT)).toMatchObject({
      status: 'failed',
      code: 'INVALID_INPUT',
    });
  });
});

describe('incident_report@1', () => {
  it('[S1-T14] makes a PDF with page numbers, over several pages', async () => {
    const timeline = Array.from({ length: 120 }, (_, n) => ({ time: `09:${n}`, event: `${HOSTILE} ${n}` }));
    const { file, output } = await make('incident_report', {
      title: HOSTILE,
      severity: 'SEV2 (major)',
      status: 'Resolved',
      started_at: 'x',
      summary: HOSTILE,
      impact: HOSTILE,
      root_cause: HOSTILE,
      timeline,
    });
    expect(Buffer.from(file.bytes).subarray(0, 5).toString()).toBe('%PDF-');
    expect(output['pages']).toBeGreaterThan(2);
    expect(file.name).toMatch(/^incident-report-.*\.pdf$/u);
  });
});
