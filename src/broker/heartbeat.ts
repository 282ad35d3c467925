const BEAT_MS = 1_000;

export interface Heartbeat {
  readonly stop: () => void;
}

/**
 * Renews each second what a running call holds, so that whoever else looks can tell that it is alive. `beat` answers false when
 * the call must end; a beat that fails is tried again with the next one, and the lease outlasts several of them.
 */
export function startHeartbeat(beat: () => Promise<boolean>, onLost: () => void = () => {}): Heartbeat {
  let beating = false;
  const timer = setInterval(() => {
    if (beating) return;
    beating = true;
    void beatOnce(beat, onLost).finally(() => {
      beating = false;
    });
  }, BEAT_MS);
  return { stop: () => clearInterval(timer) };
}

async function beatOnce(beat: () => Promise<boolean>, onLost: () => void): Promise<void> {
  try {
    if (!(await beat())) onLost();
  } catch {
    // The store did not answer this time.
  }
}
