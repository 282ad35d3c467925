import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import PdfKit from 'pdfkit';

import { createPdfTool } from '../src/builtin/create-pdf.ts';
import type { ExecuteContext } from '../src/core/tool.ts';
import { EMPTY_SHELF } from '../src/core/shelf.ts';
import { createTypesetter } from '../src/typeset/typesetter.ts';
import { median } from './support/load.ts';
import type { Row } from './support/row.ts';

const ROUNDS = 15;
const AIM = 1.3;
const TITLE = 'Quarterly report';

const require = createRequire(import.meta.url);
const fonts = join(dirname(require.resolve('@embedpdf/fonts-latin')), '..', 'fonts');
const regular = readFileSync(join(fonts, 'NotoSans-Regular.ttf'));
const bold = readFileSync(join(fonts, 'NotoSans-Bold.ttf'));

/** `create_pdf`, its worker thread and checks included, against bare pdfkit drawing the same text in this thread. */
export async function benchCreatePdf(): Promise<Row[]> {
  const typesetter = createTypesetter({ maxThreads: 1 });
  const tool = createPdfTool(typesetter);
  const context: ExecuteContext = {
    signal: new AbortController().signal,
    deadline: Number.POSITIVE_INFINITY,
    files: [],
    shelf: EMPTY_SHELF,
    log: () => {},
  };
  const rows: Row[] = [];
  for (const characters of [300, 2_000, 12_000]) {
    const body = makeText(characters);
    const ours = async (): Promise<unknown> => tool.execute({ title: TITLE, body }, context);
    rows.push(await compare(characters, ours, async () => drawBare(body)));
  }
  await typesetter.close();
  return rows;
}

async function compare(
  characters: number,
  ours: () => Promise<unknown>,
  bare: () => Promise<unknown>,
): Promise<Row> {
  const times = { ours: [] as number[], bare: [] as number[] };
  for (let round = -2; round < ROUNDS; round += 1) {
    const pair = { ours: await time(ours), bare: await time(bare) };
    // The first two rounds warm both up.
    if (round < 0) continue;
    times.ours.push(pair.ours);
    times.bare.push(pair.bare);
  }
  const ratio = median(times.ours.map((value, index) => value / (times.bare[index] ?? Number.NaN)));
  return {
    what: `create_pdf of ${characters} characters against bare pdfkit with the same fonts (ms)`,
    ours: median(times.ours).toFixed(1),
    bare: median(times.bare).toFixed(1),
    ratio,
    aim: `at most ${AIM}`,
    met: ratio <= AIM,
  };
}

/** As pdfkit's own guide has it: fonts registered from their bytes, text wrapped by pdfkit. */
async function drawBare(body: string): Promise<Buffer> {
  const document = new PdfKit({ size: 'A4', margin: 56, info: { Title: TITLE } });
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve) => document.once('end', resolve));
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  document.registerFont('regular', regular).registerFont('bold', bold);
  document.font('bold').fontSize(18).text(TITLE).font('regular').fontSize(11).text(body, { lineGap: 1 });
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

function makeText(characters: number): string {
  const sentence = 'The committee met on Tuesday and agreed to review every open point by the end of May. ';
  return sentence.repeat(Math.ceil(characters / sentence.length)).slice(0, characters);
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
