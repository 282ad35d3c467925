import type { Lane } from '../core/tool.ts';
import type { OpenCalls } from './call-signal.ts';
import type { InvocationOutcome, InvocationRequest } from './invocation.ts';
import { createLaneGate, type GateLimits, type LaneGate } from './lane-gate.ts';
import type { CallParts, Lanes } from './call-parts.ts';
import { runCall } from './run-call.ts';

export interface BrokerParts extends CallParts {
  readonly laneLimits: GateLimits;
}

export interface Broker {
  /** One call, step by step. Throws a BrokerError for a call that did not start, and what a tool throws. */
  invoke(request: InvocationRequest): Promise<InvocationOutcome>;
  /** Takes no more calls, lets the running ones finish for `graceMs`, then stops them. */
  close(graceMs: number): Promise<void>;
  /** Calls that run or wait now, in each lane. */
  load(): Readonly<Record<Lane, { running: number; waiting: number }>>;
}

export function createBroker(parts: BrokerParts): Broker {
  const lanes: Lanes = {
    inline: createLaneGate(parts.laneLimits),
    worker: createLaneGate(parts.laneLimits),
    process: createLaneGate(parts.laneLimits),
  };
  const running = new Set<Promise<unknown>>();
  const open: OpenCalls = new Set();
  const service = { lanes, open, draining: false };

  return {
    invoke: async (request) => {
      const call = runCall(request, parts, service);
      running.add(call);
      try {
        return await call;
      } finally {
        running.delete(call);
      }
    },
    close: async (graceMs) => {
      service.draining = true;
      const timer = setTimeout(() => open.forEach((call) => call.abort('shutdown')), graceMs);
      await Promise.allSettled(running);
      clearTimeout(timer);
    },
    load: () => ({
      inline: loadOf(lanes.inline),
      worker: loadOf(lanes.worker),
      process: loadOf(lanes.process),
    }),
  };
}

function loadOf({ running, waiting }: LaneGate): { running: number; waiting: number } {
  return { running, waiting };
}
