/** What is wrong with the store, for the operator. Says nothing of keys, values or passwords. */
export interface StoreFault {
  readonly kind: string;
  readonly message: string;
}

/** By the first word of an error reply, or by the system's code of a connection that failed. */
const MESSAGES: Readonly<Record<string, string>> = {
  OOM: 'The store is full (maxmemory is reached and its policy lets nothing go). Give it more memory or lower artifact_store_bytes.',
  READONLY:
    'The store is a read-only replica: after a failover the address leads to the old primary, or it never led to one. Point STATE_URL at the primary.',
  WRONGPASS: 'The store refuses the user name or password of STATE_URL.',
  NOAUTH: 'The store asks for a password and STATE_URL has none.',
  NOPERM: 'The user of STATE_URL may not do what the broker needs (its ACL forbids a command or a key).',
  LOADING: 'The store is loading its data from disk.',
  MASTERDOWN: 'The store is a replica that has lost its primary.',
  NOREPLICAS: 'The store takes no writes: it has fewer replicas than it demands.',
  MISCONF: 'The store takes no writes because it could not save its data to disk. See its own log.',
  BUSY: 'The store is busy with a script that has run too long.',
  CLUSTERDOWN: 'The store is a cluster that is down.',
  MOVED: 'The store is a cluster; the broker needs one server (or one endpoint that stands for it).',
  CROSSSLOT: 'The store is a cluster; the broker needs one server (or one endpoint that stands for it).',
  ECONNREFUSED: 'Nothing listens where STATE_URL points.',
  ENOTFOUND: 'The host name of STATE_URL is not known.',
  EAI_AGAIN: 'The host name of STATE_URL cannot be looked up now.',
  EHOSTUNREACH: 'There is no way to the host of STATE_URL.',
  ENETUNREACH: 'There is no way to the host of STATE_URL.',
  ETIMEDOUT: 'The host of STATE_URL does not answer, or, with rediss://, that port does not speak TLS.',
  ECONNRESET: 'The store closed the connection.',
  EPIPE: 'The store closed the connection.',
  EPROTO: 'The store does not speak TLS on that port: use redis:// there, or its TLS port with rediss://.',
  ERR_SSL_WRONG_VERSION_NUMBER:
    'The store does not speak TLS on that port: use redis:// there, or its TLS port with rediss://.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the store is for another host name.',
  CERT_HAS_EXPIRED: 'The certificate of the store has expired.',
  UNTRUSTED:
    'The certificate of the store is not from an authority that is known here. Name the file of that authority in NODE_EXTRA_CA_CERTS.',
  CLIENTS: 'The store has no room for another connection (its maxclients is reached).',
  DATABASE: 'The store has no database of the number in STATE_URL.',
  TIMEOUT: 'The store did not answer in time.',
  CLOSED: 'The connection to the store is lost.',
  PENDING: 'Too many requests to the store are without an answer.',
};

const BY_TEXT: readonly (readonly [RegExp, string])[] = [
  [/invalid password|invalid username-password/iu, 'WRONGPASS'],
  [/max number of clients/iu, 'CLIENTS'],
  [/DB index is out of range|SELECT is not allowed/iu, 'DATABASE'],
  [/timed out|socket timeout/iu, 'TIMEOUT'],
  [/certificate/iu, 'UNTRUSTED'],
  [
    /connection (?:is )?(?:closed|not ready)|isn't writeable|max retries per request|connection close/iu,
    'CLOSED',
  ],
];

/** Every failure has a kind and a sentence; one that is new has the word that the store gave it. */
export function describeStoreFault(error: unknown): StoreFault {
  const text = error instanceof Error ? error.message : '';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const word = /^(?:Ready check failed: )?([A-Z]+)\b/u.exec(text)?.[1] ?? '';
  const kind =
    [code, word].find((name) => Object.hasOwn(MESSAGES, name)) ??
    BY_TEXT.find(([pattern]) => pattern.test(text))?.[1];
  if (kind !== undefined) return { kind, message: MESSAGES[kind] ?? '' };
  const name = code || word || 'unknown';
  return { kind: name, message: `The store failed in a way that is not known here (${name.slice(0, 40)}).` };
}
