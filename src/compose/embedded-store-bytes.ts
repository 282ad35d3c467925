import { totalmem } from 'node:os';

/** Of the memory that the process may use; the rest is for the service itself and for its packages. */
const SHARE = 0.25;

/**
 * What the embedded artifact store may hold: what the policy says, and never more than a quarter of the memory that a
 * container or the machine leaves to the process, which would be killed before the oldest file could go.
 */
export function embeddedStoreBytes(
  policyBytes: number,
  memory: { readonly constrained: number; readonly total: number } = readMemory(),
): number {
  const usable = memory.constrained > 0 ? Math.min(memory.constrained, memory.total) : memory.total;
  return Math.min(policyBytes, Math.floor(usable * SHARE));
}

function readMemory(): { constrained: number; total: number } {
  return { constrained: process.constrainedMemory(), total: totalmem() };
}
