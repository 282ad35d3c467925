/** Where a server is and how to get in. Holds a password: never to be logged as it is. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  /** Encrypted, and the certificate is checked. */
  readonly tls: boolean;
  readonly username?: string;
  readonly password?: string;
  /** The number of the logical database. */
  readonly database: number;
}

/** `host:port`, fit for a log. */
export function placeOf({ host, port }: ServerAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
