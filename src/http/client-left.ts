import type { ServerResponse } from 'node:http';

import type { AbortReason } from '../core/tool.ts';

/** A signal that aborts when the connection ends before the answer has been written. */
export function watchClient(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort('disconnect' satisfies AbortReason);
  });
  return controller.signal;
}
