import { fileURLToPath } from 'node:url';

import { readSubjects } from './repair-cases.ts';
import { measureRepair } from './repair-measure.ts';

// Usage: npm run bench:repair [file of schemas] [--failures]
const named = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
const file = named ?? fileURLToPath(new URL('repair-schemas.json', import.meta.url));
const measured = measureRepair(readSubjects(file));
const percent = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${((100 * part) / whole).toFixed(2)} %`;

console.log(
  `${measured.schemas} schemas, each broken in every way; the repairer reads the error body alone.\n`,
);
console.log('| broken | cases | right in one step | in two |\n|---|---|---|---|');
for (const { kind, cases, one, two } of measured.tallies) {
  console.log(`| ${kind} | ${cases} | ${percent(one, cases)} | ${percent(two, cases)} |`);
}
if (measured.skipped.length > 0)
  console.log(`\nLeft out (schema or arguments not valid): ${measured.skipped.join(', ')}`);
if (process.argv.includes('--failures')) {
  for (const one of measured.failures)
    console.log(
      `\n${one.tool} · ${one.kind} · ${one.places.join(', ')}\n  ${one.message.slice(0, 600)}\n  sent ${JSON.stringify(one.broken).slice(0, 300)}\n  got  ${JSON.stringify(one.repaired).slice(0, 300)}`,
    );
}
