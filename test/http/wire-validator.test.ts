import { describe, expect, it } from 'vitest';

import { ask } from '../support/ask.ts';
import { makeServer } from '../support/server.ts';

const { app } = makeServer();

async function refusalOf(
  body: object,
): Promise<{ message: string; details: { path: string; message: string }[] }> {
  const answer = await ask(app, 'POST /v1/tools/echo@1/invoke', { body });
  expect(answer.status).toBe(400);
  return answer.json() as { message: string; details: { path: string; message: string }[] };
}

const many = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]));

describe('members that are not known', () => {
  it.each([8, 20])('are all named when there are %i, and the other faults too', async (count) => {
    const { message, details } = await refusalOf({ ...many(count), arguments: 5 });
    expect(message).toBe('body member k0 is not known; known: arguments, files.');
    expect(details).toHaveLength(count + 1);
    expect(details[count]).toEqual({
      path: '/arguments',
      message: 'must be of type object or string; received 5',
    });
  });

  it('are named up to 20 and counted when there are more', async () => {
    for (const count of [21, 90_000]) {
      const { message, details } = await refusalOf(many(count));
      expect(message).toContain(`${count} are not known; the first 20 are listed.`);
      expect(details).toHaveLength(20);
    }
  });

  it('are counted in the query too', async () => {
    const query = new URLSearchParams(many(9) as Record<string, string>).toString();
    const answer = await ask(app, `GET /v1/tools?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.json()['details']).toHaveLength(9);
  });
});

describe('a fault deep in the body', () => {
  const inFile = 'is not known; known: name, base64, media_type';

  it.each([
    [[{ name: 'a', base64: '', foo: 1 }], [['/files/0/foo', inFile]]],
    [
      [{ nam: 'a', base64: '' }],
      [
        ['/files/0/nam', inFile],
        ['/files/0/name', 'is required'],
      ],
    ],
    [
      [
        { name: 'a', base64: '' },
        { name: 'b', artifact_id: 'x', foo: 1 },
      ],
      [['/files/1/foo', 'is not known; known: name, artifact_id']],
    ],
    [[{ name: 3, artifact_id: 'x' }], [['/files/0/name', 'must be of type string; received 3']]],
    [[{ name: 'a' }], [['/files/0/base64', 'is required']]],
    [[5], [['/files/0', 'must be of type object; received 5']]],
    [{}, [['/files', 'must be of type array; received {}']]],
  ])('is told with its whole place: files %j', async (files, expected) => {
    const { details } = await refusalOf({ files });
    expect(details.map(({ path, message }) => [path, message])).toEqual(expected);
  });
});
