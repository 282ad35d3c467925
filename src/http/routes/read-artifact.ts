import type { FastifyReply } from 'fastify';
import parseRange from 'range-parser';
import type { Static } from 'typebox';

import type { StoredArtifact } from '../../broker/artifact-store.ts';
import { BrokerError } from '../../core/broker-error.ts';
import { ownerOf } from '../../core/caller.ts';
import { quote } from '../../core/quote.ts';
import type { HttpDeps } from '../deps.ts';
import { isFresh } from '../etag.ts';
import { fileHeaders, isText } from '../file-headers.ts';
import { identityOf, type HttpServer } from '../http-server.ts';
import { ArtifactIdParamsSchema } from '../wire/artifact.ts';
import { errorResponses } from '../wire/error-responses.ts';
import { NoQuerySchema } from '../wire/tool.ts';

const text = (description: string) => ({ type: 'string', description });

const HEADERS = {
  ETag: text('The SHA-256 of the bytes.'),
  'Accept-Ranges': text('`bytes`.'),
  'Content-Disposition': text('`attachment`, with the file name in ASCII and in UTF-8.'),
  'Content-Security-Policy': text('`sandbox`: a file is downloaded, never rendered.'),
  'X-Content-Type-Options': text('`nosniff`.'),
};
const BYTES = { '*/*': { schema: { type: 'string', format: 'binary' } } };
const NOT_MODIFIED = { description: 'The same as `If-None-Match`.', type: 'null' };
const PARTS = { tags: ['Artifacts'], params: ArtifactIdParamsSchema, querystring: NoQuerySchema };

const getSchema = {
  ...PARTS,
  operationId: 'artifacts.read',
  summary: 'Download a file',
  description: 'Only its owner finds it. One range may be asked for.',
  response: {
    200: { description: 'The bytes.', headers: HEADERS, content: BYTES },
    206: {
      description: 'The range.',
      headers: { ...HEADERS, 'Content-Range': text('Which bytes, and the size of the file.') },
      content: BYTES,
    },
    304: NOT_MODIFIED,
    ...errorResponses('NOT_FOUND', 'URI_TOO_LONG', 'RANGE_NOT_SATISFIABLE', 'OVERLOADED'),
  },
};

const headSchema = {
  ...PARTS,
  operationId: 'artifacts.read',
  summary: 'Look at a file',
  description: 'The headers of the download.',
  response: {
    200: { description: 'It is there.', headers: HEADERS, type: 'null' },
    304: NOT_MODIFIED,
    ...errorResponses('NOT_FOUND', 'URI_TOO_LONG', 'OVERLOADED'),
  },
};

interface Route {
  Params: Static<typeof ArtifactIdParamsSchema>;
}

interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export function addReadArtifact(app: HttpServer, { artifacts }: HttpDeps): void {
  const config = { swagger: { exposeHeadRoute: true } };
  app.head<Route>('/v1/artifacts/:id', { schema: headSchema, config }, async (request, reply) => {
    const owner = ownerOf(identityOf(request).caller);
    const found = (await artifacts.find(owner, request.params.id)) ?? raiseNotFound();
    setHeaders(reply, found);
    if (isFresh(request.headers['if-none-match'], etagOf(found))) return reply.code(304).send();
    if (isText(found.mediaType)) {
      const bytes = await readBytes(wholeOf(found), (wanted) => artifacts.read(owner, found.id, wanted));
      setHeaders(reply, found, bytes);
    }
    return reply.header('content-length', String(found.sizeBytes)).send();
  });
  app.get<Route>('/v1/artifacts/:id', { schema: getSchema }, async (request, reply) => {
    const owner = ownerOf(identityOf(request).caller);
    const found = (await artifacts.find(owner, request.params.id)) ?? raiseNotFound();
    const etag = etagOf(found);
    if (isFresh(request.headers['if-none-match'], etag)) {
      setHeaders(reply, found);
      return reply.code(304).send();
    }
    const { range, 'if-range': ifRange } = request.headers;
    const part = ifRange === undefined || ifRange === etag ? chooseRange(range, found, reply) : undefined;
    // A part does not tell whether all of a text is UTF-8.
    const isWholeRead = part === undefined || isText(found.mediaType);
    const bytes = await readBytes(isWholeRead ? wholeOf(found) : part, (wanted) =>
      artifacts.read(owner, found.id, wanted),
    );
    setHeaders(reply, found, isWholeRead ? bytes : undefined);
    if (part !== undefined) {
      reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${found.sizeBytes}`);
    }
    return reply.send(isWholeRead && part !== undefined ? bytes.subarray(part.start, part.end + 1) : bytes);
  });
}

function etagOf({ sha256 }: StoredArtifact): string {
  return `"${sha256}"`;
}

function wholeOf({ sizeBytes }: StoredArtifact): ByteRange {
  return { start: 0, end: sizeBytes - 1 };
}

function setHeaders(reply: FastifyReply, found: StoredArtifact, bytes?: Uint8Array): void {
  reply.headers({
    ...fileHeaders(found.name, found.mediaType, bytes),
    etag: etagOf(found),
    'accept-ranges': 'bytes',
  });
}

/** One range or none: other units and several ranges at once are ignored, as RFC 9110 section 14.2 allows. */
function chooseRange(
  header: string | undefined,
  found: StoredArtifact,
  reply: FastifyReply,
): ByteRange | undefined {
  if (header === undefined) return undefined;
  const ranges = parseRange(found.sizeBytes, header);
  if (ranges === -1) {
    reply.header('content-range', `bytes */${found.sizeBytes}`);
    throw new BrokerError(
      'RANGE_NOT_SATISFIABLE',
      `The range ${quote(header)} is outside the ${found.sizeBytes} bytes of the file.`,
    );
  }
  const [only, ...more] = ranges === -2 || ranges.type !== 'bytes' ? [] : ranges;
  return more.length === 0 ? only : undefined;
}

/** The file may have expired since it was found. */
async function readBytes(
  range: ByteRange,
  read: (range: ByteRange) => Promise<Uint8Array | undefined>,
): Promise<Buffer> {
  if (range.end < range.start) return Buffer.alloc(0);
  const bytes = (await read(range)) ?? raiseNotFound();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The same for unknown, expired and another caller's. */
function raiseNotFound(): never {
  throw new BrokerError('NOT_FOUND', 'There is no such artifact for you, or it has expired.', {
    resolution: 'Use the artifact_id of a call of yours that has not expired, or call the tool again.',
  });
}
