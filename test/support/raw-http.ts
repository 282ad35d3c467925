import { connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { HttpServer } from '../../src/http/http-server.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export async function listen(app: HttpServer): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

/** A part of a request: text, bytes, or a pause in milliseconds. */
export type Part = string | Uint8Array | number;

/** Writes the parts to a bare socket and reads until the other side closes. Rejects after 15 s. */
export async function exchange(port: number, parts: readonly Part[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  const received = readAll(socket);
  for (const part of parts) {
    if (socket.destroyed) break;
    if (typeof part === 'number') await sleep(part);
    else await new Promise<void>((resolve) => void socket.write(part, () => resolve()));
  }
  return received;
}

async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    socket.setTimeout(15_000, () => {
      socket.destroy();
      reject(new Error(`nothing for 15 s after: ${Buffer.concat(chunks).toString('latin1')}`));
    });
    socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
    // A reset after the answer is how an unread body ends; what was received counts.
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}

/** The last answer of an exchange; the interim ones (100) are passed over. */
export function parseAnswer(text: string): RawAnswer {
  const start = [...text.matchAll(/HTTP\/1\.1 \d{3} /gu)].at(-1)?.index ?? 0;
  const [head = '', ...rest] = text.slice(start).split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: rest.join('\r\n\r\n'),
  };
}
