/** One entry of TOOL_ALLOWED_HOSTS; without a port it stands for the scheme's own. */
interface AllowedHost {
  readonly host: string;
  readonly port: string;
}

/** Whether `list` (comma-separated `host` or `host:port`) names exactly the host and port of `url`. No wildcards. */
export function isAllowedHost(url: URL, list: string): boolean {
  const host = plainHost(url.hostname);
  return parseList(list).some((entry) => entry.host === host && entry.port === url.port);
}

function parseList(list: string): AllowedHost[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const colon = /^[^:]*:(\d+)$/u.exec(entry);
      const host = colon === null ? entry : entry.slice(0, entry.indexOf(':'));
      return { host: plainHost(host), port: colon?.[1] ?? '' };
    });
}

function plainHost(host: string): string {
  return host.toLowerCase().replace(/\.$/u, '');
}
