import { afterAll, describe, expect, it } from 'vitest';
import { createPdfTool } from '../../src/builtin/create-pdf.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { createTypesetter } from '../../src/typeset/typesetter.ts';
import { hasProgram, textOf } from '../typeset/pdf-programs.ts';
import { checkWith, runWith } from './run-tool.ts';

const typesetter = createTypesetter({ maxThreads: 1 });
afterAll(() => typesetter.close());

const tool = createPdfTool(typesetter);
const firstMessage = (args: JsonObject) => checkWith(tool, args)[0]?.message;
const run = (args: JsonObject) => runWith(tool, args);

describe('create_pdf checks its arguments', () => {
  it.each<[string, JsonObject, string]>([
    ['unknown names first', { zeta: 1, alpha: 2, body: '' }, 'unsupported arguments: alpha, zeta'],
    ['no body', {}, 'body must be a non-empty string'],
    ['a body that is no text', { body: 5 }, 'body must be a non-empty string'],
    ['a null body', { body: null }, 'body must be a non-empty string'],
    ['a blank body', { body: ' \n\t\u2003\u001c' }, 'body must be a non-empty string'],
    ['a long body', { body: 'x'.repeat(12_001), title: 7 }, 'body must be at most 12,000 characters'],
    ['a title that is no text', { body: 'x', title: 7 }, 'title must be a string'],
  ])('[S1-20] %s', (_name, args, message) => {
    expect(firstMessage(args)).toBe(message);
  });

  it('[S1-20] takes 12,000 characters and refuses 12,001, counted as code points', () => {
    expect(firstMessage({ body: '😀'.repeat(12_000) })).toBeUndefined();
    expect(firstMessage({ body: '😀'.repeat(12_001) })).toBe('body must be at most 12,000 characters');
  });

  it('[S1-22] never refuses a long title or a strange file name', () => {
    expect(firstMessage({ body: 'x', title: 'y'.repeat(5_000), filename: '../\u0000' })).toBeUndefined();
  });

  it('escapes and bounds unknown names that are not plain', () => {
    const message = firstMessage({
      'a\u202e b': 1,
      ...Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`z${n}`, 1])),
    });
    expect(message).toContain('\\u{202e}');
    expect(message).toContain('and 11 more');
  });
});

describe('create_pdf makes a file', () => {
  it('[S1-24] answers with what it made, and the file beside it', async () => {
    const { output, file } = await run({ body: 'Hello', title: 'T', filename: 'my note' });
    expect(output).toEqual({ created: true, pages: 1 });
    expect(file).toMatchObject({ name: 'my-note.pdf', mediaType: 'application/pdf' });
    expect(Buffer.from(file!.bytes.subarray(0, 5)).toString()).toBe('%PDF-');
  });

  it('says which characters it could not draw', async () => {
    const { output } = await run({ body: '中文 and 中' });
    expect(output).toEqual({
      created: true,
      pages: 1,
      undrawn: { count: 3, characters: ['U+4E2D', 'U+6587'] },
    });
  });

  it('[S1-28] sets the largest legal bodies', async () => {
    expect((await run({ body: `x${'\n'.repeat(11_999)}` })).output).toMatchObject({ pages: 280 });
    expect((await run({ body: 'x'.repeat(12_000) })).output['undrawn']).toBeUndefined();
    expect((await run({ body: 'W'.repeat(12_000), title: 'W'.repeat(160) })).output['created']).toBe(true);
  });

  it.skipIf(!hasProgram('pdftotext'))(
    '[S1-22] trims the title and cuts it after 160 characters (needs pdftotext)',
    async () => {
      const title = `  ${'y'.repeat(160)}zzz`;
      const text = textOf((await run({ body: 'Body', title })).file!.bytes);
      expect(text.replaceAll(/\s/gu, '')).toBe(`${'y'.repeat(160)}Body`);
    },
  );
});

describe('create_pdf describes itself', () => {
  it('[S1-33] names every argument and every limit that it enforces, and when not to call', () => {
    const { description, inputSchema } = tool.spec;
    for (const name of Object.keys(inputSchema['properties'] as JsonObject))
      expect(description).toContain(name);
    expect(description).toContain('at most 12,000 characters');
    expect(description).toContain('first 160 characters');
    expect(description).toContain('80 characters');
    expect(description).toMatch(/only when/u);
    expect(description).toMatch(/not call it twice/u);
    expect(firstMessage({ body: 'x'.repeat(12_000) })).toBeUndefined();
    expect(firstMessage({ body: 'x'.repeat(12_001) })).toContain('12,000');
  });

  it('[S1-19] has a schema that takes body alone and nothing unknown', () => {
    expect(tool.spec.inputSchema).toMatchObject({ required: ['body'], additionalProperties: false });
  });

  it('has examples that pass its own check and run', async () => {
    for (const example of tool.spec.examples ?? []) {
      expect(checkWith(tool, example.arguments)).toEqual([]);
      expect((await run(example.arguments)).output['created']).toBe(true);
    }
  });
});
