import { BrokerError } from '../../core/broker-error.ts';
import { systemBinds } from './bubblewrap-arguments.ts';
import { inheritedDescriptors } from './inherited-descriptors.ts';
import type { Isolation } from './isolation.ts';
import { createUidPool, type UidPool } from './package-uids.ts';
import { maxProcesses } from './process-limit.ts';
import { removeTree } from './remove-tree.ts';
import type { RunLimits, StartSpec } from './run-spec.ts';
import { OPTIONS_FD, sandboxCommand, type SandboxCommand } from './sandbox-command.ts';
import { openWorkArea, type WorkArea } from './work-area.ts';
import { openWorkRoot } from './work-root.ts';

/** A place for one run: its own directories and, where there are any, its own user id. */
export interface Sandbox {
  readonly area: WorkArea;
  readonly command: SandboxCommand;
  /** Removes all of it. Never rejects: what cannot be removed is logged, and tried again when the service stops. */
  readonly close: () => Promise<void>;
}

export interface Sandboxes {
  /** Throws OVERLOADED when all user ids are in use. */
  readonly open: (spec: StartSpec, limits: RunLimits) => Sandbox;
  /** When no sandbox is open any more. */
  readonly close: () => Promise<void>;
}

export async function createSandboxes(options: {
  readonly isolation: Isolation;
  readonly workRoot: string;
  readonly log: (message: string) => void;
}): Promise<Sandboxes> {
  const { isolation, log } = options;
  const root = await openWorkRoot(options.workRoot, isolation.ownUid);
  const uids = isolation.ownUid ? await createUidPool() : undefined;
  const shared = {
    isolation,
    binds: systemBinds(isolation),
    covered: inheritedDescriptors(OPTIONS_FD),
    maxProcesses: maxProcesses(isolation),
  };
  let serial = 0;
  return {
    open: (spec, limits) => {
      const uid = takeUid(uids);
      serial += 1;
      const area = openWorkArea(root, serial, uid);
      return {
        area,
        command: sandboxCommand({ ...shared, area, limits }, spec),
        close: async () => {
          await area.remove().catch(() => log('a working directory could not be removed'));
          if (uid !== undefined) uids?.giveBack(uid);
        },
      };
    },
    close: async () => {
      uids?.close();
      await removeTree(root.directory).catch(() => log('the working directories could not be removed'));
    },
  };
}

function takeUid(uids: UidPool | undefined): number | undefined {
  if (uids === undefined) return undefined;
  const uid = uids.take();
  if (uid !== undefined) return uid;
  throw new BrokerError('OVERLOADED', 'Too many package commands are running; this one did not start.', {
    retryAfter: 1,
  });
}
