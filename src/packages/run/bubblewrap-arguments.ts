import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { dirname } from 'node:path';

import type { Isolation } from './isolation.ts';
import type { WorkArea } from './work-area.ts';

/** Where a run finds its things inside; the same for every run, and nothing of the host's paths. */
export const INSIDE = { package: '/package', work: '/work', home: '/home', tmp: '/tmp' } as const;

/** Shared memory lives in RAM and is not on the watched disk, so it has a size. */
const SHARED_MEMORY_BYTES = 64 * 1024 * 1024;

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** Nothing else of /etc: it may hold keys. */
const ETC = [
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'alternatives',
  'ca-certificates',
  'ca-certificates.conf',
  'pki/tls/certs',
  'pki/ca-trust/extracted',
  'ssl/certs',
  'ssl/cert.pem',
  'ssl/openssl.cnf',
  'localtime',
  'timezone',
  'mime.types',
  'fonts',
  'os-release',
];
const ETC_FOR_NETWORK = ['resolv.conf', 'hosts', 'nsswitch.conf', 'services', 'gai.conf'];

/** The binds that are the same for every run, worked out once. */
export interface SystemBinds {
  readonly offline: readonly string[];
  readonly online: readonly string[];
}

export function systemBinds(isolation: Isolation): SystemBinds {
  const system = SYSTEM.flatMap(bindSystemPath);
  const paths = [...ETC.map((name) => `/etc/${name}`), process.execPath, ...isolation.readablePaths];
  const network = ETC_FOR_NETWORK.map((name) => `/etc/${name}`);
  return {
    offline: [...system, ...bindReadOnly(paths)],
    online: [...system, ...bindReadOnly([...paths, ...network])],
  };
}

/** All that stands before the `--`. */
export function bubblewrapArguments(
  isolation: Isolation,
  binds: SystemBinds,
  run: {
    readonly area: WorkArea;
    readonly packageDir: string;
    readonly online: boolean;
    readonly statusFd: number;
  },
): string[] {
  const { area } = run;
  return [
    isolation.ownUserNamespace ? ['--unshare-user', '--uid', '1000', '--gid', '1000'] : KEEP_SET_UID,
    ['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--hostname', 'tool', '--die-with-parent'],
    run.online ? binds.online : ['--unshare-net', ...binds.offline],
    ['--dev', '/dev', '--size', String(SHARED_MEMORY_BYTES), '--perms', '1777', '--tmpfs', '/dev/shm'],
    isolation.ownProc ? ['--proc', '/proc'] : [],
    ['--ro-bind', run.packageDir, INSIDE.package, '--bind', area.work, INSIDE.work],
    ['--bind', area.home, INSIDE.home, '--bind', area.tmp, INSIDE.tmp],
    ['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', INSIDE.work],
    ['--json-status-fd', String(run.statusFd)],
  ].flat();
}

/** What root needs to enter the run's directory and to give its identity away; all three go with that. */
const KEEP_SET_UID = [
  ['--cap-drop', 'ALL', '--cap-add', 'CAP_DAC_READ_SEARCH'],
  ['--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID'],
].flat();

/** On merged systems /bin is a link into /usr, and must be one inside too. */
function bindSystemPath(path: string): string[] {
  if (!existsSync(path)) return [];
  return lstatSync(path).isSymbolicLink()
    ? ['--symlink', readlinkSync(path), path]
    : ['--ro-bind', path, path];
}

/** With the directories on the way: those that bubblewrap makes for itself can be closed to others than root. */
function bindReadOnly(paths: readonly string[]): string[] {
  const wanted = paths.filter((path) => existsSync(path) && !isInSystem(path));
  const parents = new Set(wanted.flatMap(ancestors));
  return [
    ...[...parents].flatMap((path) => ['--perms', '0755', '--dir', path]),
    ...wanted.flatMap((path) => ['--ro-bind', path, path]),
  ];
}

function isInSystem(path: string): boolean {
  return SYSTEM.some((directory) => path.startsWith(`${directory}/`));
}

/** `/a/b` for `/a/b/c`, after `/a`; without the root. */
function ancestors(path: string): string[] {
  const parent = dirname(path);
  return parent === '/' ? [] : [...ancestors(parent), parent];
}
