import type { Readable } from 'node:stream';
import type { Static } from 'typebox';

import { artifactTtlMs } from '../../broker/artifact-ttl.ts';
import { BrokerError } from '../../core/broker-error.ts';
import { ownerOf } from '../../core/caller.ts';
import { isMediaType } from '../../core/file-name.ts';
import type { HttpDeps } from '../deps.ts';
import { identityOf, type HttpServer } from '../http-server.ts';
import { requireIdentityEncoding } from '../json/json-media-type.ts';
import { jsonAnswer } from '../wire/answer-examples.ts';
import { UploadQuerySchema } from '../wire/artifact.ts';
import { errorResponses } from '../wire/error-responses.ts';

const MAX_NAME_BYTES = 255;

const schema = {
  operationId: 'artifacts.upload',
  tags: ['Artifacts'],
  summary: 'Put in a file',
  description:
    'The body is the raw bytes, of any media type. Only you can read the file, until it expires. In a run it counts ' +
    'against its `artifact_bytes`.',
  querystring: UploadQuerySchema,
  consumes: ['application/octet-stream'],
  body: { type: 'string', format: 'binary' },
  response: {
    201: {
      description: 'The file is kept.',
      headers: { Location: { type: 'string', description: 'Where the file can be read.' } },
      content: jsonAnswer('UploadedArtifact'),
    },
    ...errorResponses('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'QUOTA_EXCEEDED', 'OVERLOADED'),
  },
};

interface Route {
  Querystring: Static<typeof UploadQuerySchema>;
  Body: Readable | undefined;
}

/** In a scope of its own: here a body is a stream of any media type, elsewhere it is JSON. */
export function addUploadArtifact(app: HttpServer, { artifacts, runs, settings }: HttpDeps): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.post<Route>('/v1/artifacts', { schema, config: { access: 'runner' } }, async (request, reply) => {
    requireIdentityEncoding(request.headers);
    const file = {
      name: requireFileName(request.query.name),
      mediaType: mediaTypeOf(request.headers['content-type']),
      bytes: await collectBytes(request.body, request.headers['content-length'], settings.maxUploadBytes),
    };
    const { caller } = identityOf(request);
    if (caller.run !== undefined) await runs.chargeFile(caller.run, file.bytes.byteLength);
    const stored = await artifacts.put(ownerOf(caller), file, artifactTtlMs(caller, settings.artifactTtlMs));
    return reply
      .code(201)
      .header('location', `/v1/artifacts/${encodeURIComponent(stored.id)}`)
      .send({
        artifact_id: stored.id,
        size_bytes: stored.sizeBytes,
        sha256: stored.sha256,
        expires_at: stored.expiresAt.toISOString(),
      });
  });
}

function requireFileName(name: string): string {
  if (name !== '.' && name !== '..' && Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  throw new BrokerError(
    'INVALID_INPUT',
    `query parameter name must be a file name of at most ${MAX_NAME_BYTES} bytes.`,
    {
      details: [{ path: '/name', message: 'is no file name' }],
    },
  );
}

function mediaTypeOf(contentType: string | undefined): string {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return isMediaType(mediaType) ? mediaType : 'application/octet-stream';
}

/** Never holds more than the limit. Throws PAYLOAD_TOO_LARGE, before reading where the length was announced. */
async function collectBytes(
  body: Readable | undefined,
  announced: string | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = Number(announced ?? 0);
  if (size <= maxBytes && body !== undefined) {
    size = 0;
    // Left open, so that the refusal can still be sent.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) break;
      chunks.push(chunk);
    }
  }
  if (size <= maxBytes) return Buffer.concat(chunks, size);
  throw new BrokerError('PAYLOAD_TOO_LARGE', `The file is larger than ${maxBytes} bytes.`, {
    resolution: `Send a file of at most ${maxBytes} bytes.`,
  });
}
