/**
 * The wall clock as it stood when the process started, carried on by the monotonic one, in milliseconds: whoever sets
 * the system's clock neither shortens nor prolongs what is counted on this one.
 */
export function steadyNow(): number {
  return performance.timeOrigin + performance.now();
}
