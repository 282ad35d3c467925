import { dirname } from 'node:path';

import { CALL_MARKER } from './call-marker.ts';

export interface ChildPlaces {
  readonly home: string;
  readonly tmp: string;
}

/** The environment of a run, built from nothing: what every run gets, and what the operator grants this package. */
export function childEnvironment(
  places: ChildPlaces,
  marker: string,
  grants: { readonly env?: Readonly<Record<string, string>>; readonly hosts?: readonly string[] },
): Record<string, string> {
  const hosts = grants.hosts ?? [];
  return {
    PATH: searchPath(),
    LANG: 'C.UTF-8',
    PYTHONUNBUFFERED: '1',
    ...grants.env,
    HOME: places.home,
    TMPDIR: places.tmp,
    ...(hosts.length > 0 ? { TOOL_ALLOWED_HOSTS: hosts.join(',') } : {}),
    [CALL_MARKER]: marker,
  };
}

/** The system's programs, and the Node that runs this service, wherever it was installed. */
function searchPath(): string {
  return [...new Set([dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'])].join(':');
}
