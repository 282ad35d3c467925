import type { BootFault } from '../core/boot-error.ts';
import type { Policy } from './policy.ts';

/** What the environment says about who may reach the service. */
export interface AccessSettings {
  /** The address to listen on. */
  readonly host: string;
  readonly hostIsLoopback: boolean;
  /** Of API_KEY or API_KEY_FILE; absent: neither is set. */
  readonly apiKeySha256?: string;
}

/** Whether a credential is needed at all. Without one, only this machine may call (design section 9). */
export function hasKeys(policy: Policy, settings: Pick<AccessSettings, 'apiKeySha256'>): boolean {
  return settings.apiKeySha256 !== undefined || policy.callers.length > 0;
}

/** Settings and policy that are each fine and together are not. */
export function findAccessFaults(policy: Policy, settings: AccessSettings): BootFault[] {
  const faults: BootFault[] = [];
  if (settings.apiKeySha256 !== undefined && policy.callers.length > 0) {
    faults.push({
      source: 'API_KEY',
      message: `It is set, and ${policy.source} has \`callers\` too, so it is unclear who may call.`,
      remedy: 'Take API_KEY and API_KEY_FILE away, or the `callers`.',
    });
  }
  if (!settings.hostIsLoopback && !hasKeys(policy, settings)) {
    faults.push({
      source: 'HOST',
      message: `Without any API key only a loopback address may be used, not ${settings.host}.`,
      remedy: 'Set API_KEY or API_KEY_FILE, write `callers` into the policy, or set HOST to 127.0.0.1.',
    });
  }
  return faults;
}
