import { ask, shapeFaults, type Answer } from './support.ts';
import { pass } from '../support/store-server.ts';

export interface Load {
  /** Where brokers listen now; one that is down is asked as well, as a client without a balancer would. */
  readonly urls: readonly string[];
  readonly token: string;
  readonly clients: number;
  /** Between two calls of one client, on average. */
  readonly thinkMs: number;
  /** With a key a call can be sent again after its broker died. */
  readonly keyed: boolean;
}

export interface Outcome {
  /** By key, the invocation that answered it. */
  readonly answered: Map<string, string>;
  /** How often each error came. */
  readonly errors: Map<string, number>;
  /** Answers that were not in the one shape. */
  readonly malformed: string[];
  /** Requests that got no answer at all. */
  dropped: number;
}

const plan = { arguments: { goal: 'Move the office', steps: ['Give notice', 'Find a mover', 'Pack'] } };

/** Clients that call until the budget of the run is used up. A call that was refused for now is sent again. */
export async function callUntilUsedUp(load: Load): Promise<Outcome> {
  const outcome: Outcome = { answered: new Map(), errors: new Map(), malformed: [], dropped: 0 };
  await Promise.all(
    Array.from({ length: load.clients }, async (_unused, client) => {
      for (let call = 0; ; call += 1) {
        if (load.thinkMs > 0) await pass(load.thinkMs * (0.5 + Math.random()));
        if (!(await callOnce(load, outcome, { key: `c${client}-${call}`, at: client + call }))) return;
      }
    }),
  );
  return outcome;
}

/** False when the budget is used up. */
async function callOnce(
  load: Load,
  outcome: Outcome,
  { key, at }: { key: string; at: number },
): Promise<boolean> {
  for (let attempt = 0; ; attempt += 1) {
    const url = load.urls[(at + attempt) % load.urls.length] ?? '';
    const answer = await tryAsk(`${url}/v1/tools/make_plan@1/invoke`, load, key);
    if (answer === undefined) {
      outcome.dropped += 1;
      if (!load.keyed) return true;
      await pass(100);
      continue;
    }
    const faults = shapeFaults(answer);
    if (faults.length > 0) outcome.malformed.push(`${faults.join()}: ${JSON.stringify(answer)}`);
    if (answer.body.ok === true) {
      outcome.answered.set(key, String(answer.body.invocation_id));
      return true;
    }
    const error = answer.body.error ?? 'none';
    outcome.errors.set(error, (outcome.errors.get(error) ?? 0) + 1);
    if (error === 'QUOTA_EXCEEDED') return false;
    if (answer.body.retryable !== true) return true;
    await pass(Math.min(500, (answer.body.retry_after ?? 1) * 1_000));
  }
}

async function tryAsk(url: string, { token, keyed }: Load, key: string): Promise<Answer | undefined> {
  try {
    return await ask(url, { token, body: plan, ...(keyed ? { key } : {}) });
  } catch {
    return undefined;
  }
}

/** Sends the same call again, for its stored answer. */
export async function askAgain(url: string, token: string, key: string): Promise<Answer> {
  return ask(`${url}/v1/tools/make_plan@1/invoke`, { token, key, body: plan });
}
