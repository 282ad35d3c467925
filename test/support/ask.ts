import type { HttpServer } from '../../src/http/http-server.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly bytes: Buffer;
  /** The body as JSON; throws where it is none. */
  readonly json: () => Record<string, unknown>;
}

export interface Ask {
  readonly body?: string | Buffer | object;
  readonly headers?: Readonly<Record<string, string>>;
  /** The bearer credential. */
  readonly key?: string;
}

/** One request over `inject`: `ask(app, 'GET /v1/tools')`. An object as body goes as JSON. */
export async function ask(app: HttpServer, line: string, { body, headers, key }: Ask = {}): Promise<Answer> {
  const [method = '', url = ''] = line.split(' ');
  const answer = await app.inject({
    method: method as 'GET',
    url,
    ...(body === undefined ? {} : { payload: body }),
    headers: {
      host: 'localhost:8080',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
  });
  return {
    status: answer.statusCode,
    headers: answer.headers as Record<string, string>,
    text: answer.body,
    bytes: answer.rawPayload,
    json: () => JSON.parse(answer.body) as Record<string, unknown>,
  };
}
