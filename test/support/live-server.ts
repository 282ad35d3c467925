import type { HttpServer } from '../../src/http/http-server.ts';
import { listen } from './raw-http.ts';

export interface LiveAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; `{}` where there is none. */
  readonly json: Readonly<Record<string, unknown>>;
}

export interface LiveRequest {
  /** The bearer credential. */
  readonly key?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface LiveServer {
  /** One request over a real connection: `ask('GET /v1/tools')`. */
  readonly ask: (line: string, request?: LiveRequest) => Promise<LiveAnswer>;
  readonly port: number;
  readonly close: () => Promise<void>;
}

export async function goLive(app: HttpServer): Promise<LiveServer> {
  const port = await listen(app);
  return {
    port,
    ask: async (line, request = {}) => ask(`http://127.0.0.1:${port}`, line, request),
    close: async () => app.close(),
  };
}

async function ask(origin: string, line: string, { key, body, headers, signal }: LiveRequest) {
  const [method = '', path = ''] = line.split(' ');
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  const json = isJson ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: answer.status, headers: answer.headers, text, json };
}

/** A run as `POST /v1/runs` answers it; throws for any other answer. */
export async function startRun(
  { ask }: Pick<LiveServer, 'ask'>,
  key: string,
  body: object = {},
): Promise<{ id: string; token: string; tools: string[]; ignored: string[] }> {
  const { status, text, json } = await ask('POST /v1/runs', { key, body });
  if (status !== 201) throw new Error(`no run: ${status} ${text}`);
  const {
    run_id: id,
    token,
    tools,
    ignored,
  } = json as { run_id: string; token: string } & Record<string, string[]>;
  return { id, token, tools: tools ?? [], ignored: ignored ?? [] };
}
