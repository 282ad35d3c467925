import type { ServerResponse } from 'node:http';

import type { Client } from '../broker/call-signal.ts';

/** The client has left when the connection ends before the answer has been written. */
export function watchClient(response: ServerResponse): Client {
  let left = false;
  let listener: (() => void) | undefined;
  response.once('close', () => {
    if (response.writableFinished) return;
    left = true;
    listener?.();
  });
  return {
    get left() {
      return left;
    },
    onLeave: (wanted) => {
      listener = wanted;
    },
  };
}
