import { BrokerError } from '../../core/broker-error.ts';
import { formatOwner, ownerOf } from '../../core/caller.ts';
import type { Lane } from '../../core/tool.ts';
import { CallAborted, type CallSignal } from '../call-signal.ts';
import type { ReadyCall } from '../call.ts';
import type { LaneGate, Release } from '../lane-gate.ts';

const RETRY_AFTER_SECONDS = 2;

/**
 * Step 4: a place in the tool's lane. The deadline runs already, so waiting counts.
 * Throws OVERLOADED when there is no room, when the deadline passes in the queue, and when the service stops.
 */
export async function admitCall(
  call: ReadyCall,
  lanes: Readonly<Record<Lane, LaneGate>>,
  timing: CallSignal,
): Promise<Release> {
  const since = performance.now();
  try {
    return await lanes[call.entry.spec.lane].enter(formatOwner(ownerOf(call.request.caller)), timing);
  } catch (error) {
    throw error instanceof CallAborted ? endedInQueue(error) : error;
  } finally {
    call.queueMs = performance.now() - since;
  }
}

function endedInQueue({ reason }: CallAborted): BrokerError {
  const why = {
    deadline: 'The deadline passed while the call waited for a free place',
    disconnect: 'The client left while the call waited',
    shutdown: 'The service is stopping',
    run_over: 'The run ended',
  }[reason];
  return new BrokerError('OVERLOADED', `${why}; it did not start.`, { retryAfter: RETRY_AFTER_SECONDS });
}
