import { measureRequests, median } from './support/load.ts';
import type { Row } from './support/row.ts';
import { startServer } from './support/server-process.ts';

const ROUNDS = 5;
const AIM = 0.7;

const body = JSON.stringify({
  arguments: {
    goal: 'Move the office by the end of May',
    steps: ['Give notice', 'Find a mover', 'Pack by room', 'Tell the post office', 'Hand over the keys'],
  },
});

/** `make_plan` through the broker against a bare Fastify route that does and logs the same, in turn. */
export async function benchInvoke(): Promise<Row> {
  const ours = await startServer(['dist/main.js']);
  const bare = await startServer(['--import', 'tsx', 'bench/support/bare-fastify.ts']);
  const figures = { ours: [] as number[], bare: [] as number[] };
  const load = { body, connections: 50, seconds: 4 };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const pair = {
      ours: await measureRequests({ ...load, url: `${ours.url}/v1/tools/make_plan@1/invoke` }),
      bare: await measureRequests({ ...load, url: `${bare.url}/invoke` }),
    };
    // The first round warms both up.
    if (round === 0) continue;
    figures.ours.push(pair.ours);
    figures.bare.push(pair.bare);
  }
  await Promise.all([ours.stop(), bare.stop()]);
  const ratio = median(figures.ours.map((value, index) => value / (figures.bare[index] ?? Number.NaN)));
  return {
    what: 'make_plan: the broker against a bare Fastify route (requests a second, 50 connections)',
    ours: median(figures.ours).toFixed(0),
    bare: median(figures.bare).toFixed(0),
    ratio,
    aim: `at least ${AIM}`,
    met: ratio >= AIM,
  };
}
