/** `npm run bench [name …]`: every row, or those whose bench has one of these names. Ends with 1 when an aim is missed. */
import { benchCreatePdf } from './create-pdf.ts';
import { benchFlood } from './flood.ts';
import { benchInvoke } from './invoke.ts';
import { benchPackageCall } from './package-call.ts';
import { benchSkillsBoot } from './skills-boot.ts';
import { printRow, type Row } from './support/row.ts';
import { benchBudgets } from './budgets.ts';

const benches: Readonly<Record<string, () => Row | Row[] | Promise<Row | Row[]>>> = {
  invoke: benchInvoke,
  'create-pdf': benchCreatePdf,
  'skills-boot': benchSkillsBoot,
  'package-call': benchPackageCall,
  flood: benchFlood,
  budgets: benchBudgets,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  throw new Error(`There is no bench ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.`);
}
let missed = 0;
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const row of [await bench()].flat()) {
    printRow(row);
    if (!row.met) missed += 1;
  }
}
process.exitCode = missed === 0 ? 0 : 1;
