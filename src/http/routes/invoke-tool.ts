import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';

import type { Delivery, InvocationOutcome, RequestFile } from '../../broker/invocation.ts';
import { addRunQuota } from '../add-run-quota.ts';
import { accepts, chooseRepresentation } from '../choose-representation.ts';
import { watchClient } from '../client-left.ts';
import type { HttpDeps } from '../deps.ts';
import { fileHeaders } from '../file-headers.ts';
import { identityOf, type HttpServer } from '../http-server.ts';
import { readIdempotencyKey } from '../idempotency-key.ts';
import { toInvokeAnswer } from '../invoke-answer.ts';
import { quotaHeaders } from '../quota-headers.ts';
import { readArguments } from '../read-arguments.ts';
import { ANSWER_EXAMPLES } from '../wire/answer-examples.ts';
import { errorResponses } from '../wire/error-responses.ts';
import {
  InvokeBodySchema,
  InvokeHeadersSchema,
  InvokeQuerySchema,
  type InvokeBody,
} from '../wire/invocation.ts';
import { QUOTA_HEADERS } from '../wire/quota.ts';
import { ToolRefParamsSchema } from '../wire/tool.ts';

const INVOKE_ERRORS = [
  'NOT_FOUND',
  'NOT_ACCEPTABLE',
  'CONFLICT',
  'PAYLOAD_TOO_LARGE',
  'URI_TOO_LONG',
  'UNSUPPORTED_MEDIA_TYPE',
  'QUOTA_EXCEEDED',
  'RATE_LIMITED',
  'OVERLOADED',
] as const;

const JSON_ANSWER = {
  'application/json': {
    schema: { $ref: 'InvokeAnswer#' },
    examples: {
      success: { summary: 'The tool succeeded', value: ANSWER_EXAMPLES.InvokeSuccess },
      failure: { summary: 'The tool failed', value: ANSWER_EXAMPLES.Error },
    },
  },
};

const schema = {
  operationId: 'tools.invoke',
  tags: ['Tools'],
  summary: 'Call a tool',
  description:
    'The status says what the service did, `error` what the tool did: once a tool has started the status is 200, with ' +
    '`ok: false` if it failed. Where `Accept` excludes JSON and allows a media type that the tool produces, the answer is ' +
    'the bytes of the file; if there are none, it is 422 with the JSON. With an `Idempotency-Key` the tool runs once: the ' +
    'same call sent again gets the answer of the first.',
  headers: InvokeHeadersSchema,
  params: ToolRefParamsSchema,
  querystring: InvokeQuerySchema,
  body: InvokeBodySchema,
  response: {
    200: {
      description: 'The tool ran.',
      headers: {
        ...QUOTA_HEADERS,
        'Idempotency-Replayed': {
          type: 'string',
          description: '`true` where an earlier call has this answer.',
        },
      },
      content: {
        ...JSON_ANSWER,
        '*/*': {
          schema: {
            type: 'string',
            format: 'binary',
            description: 'The bare file, where `Accept` asks for it.',
          },
        },
      },
    },
    422: {
      description: '`Accept` asked for the bytes of a file and the tool gave none.',
      content: JSON_ANSWER,
    },
    ...errorResponses(...INVOKE_ERRORS),
  },
};

interface Route {
  Params: Static<typeof ToolRefParamsSchema>;
  Querystring: Static<typeof InvokeQuerySchema>;
  Body: InvokeBody | undefined;
}

export function addInvokeTool(app: HttpServer, { invoke, runs }: HttpDeps): void {
  const options = { schema, errorHandler: addRunQuota(runs), config: { access: 'runner' } } as const;
  app.post<Route>('/v1/tools/:ref/invoke', options, async (request, reply) => {
    const { caller, grant } = identityOf(request);
    const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
    const outcome = await invoke({
      requestId: request.id,
      caller,
      grant,
      ref: request.params.ref,
      arguments: readArguments(request.body?.arguments),
      ...(request.body?.files && { files: request.body.files.map(toRequestFile) }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      client: watchClient(reply.raw),
      negotiate: (produces) => chooseDelivery(request, produces),
    });
    reply.headers(quotaHeaders(outcome.quotas));
    if (outcome.replayed) reply.header('idempotency-replayed', 'true');
    return sendOutcome(outcome, request, reply);
  });
}

function toRequestFile(file: NonNullable<InvokeBody['files']>[number]): RequestFile {
  if ('artifact_id' in file) return { name: file.name, artifactId: file.artifact_id };
  const { name, base64, media_type: mediaType } = file;
  return { name, base64, ...(mediaType !== undefined && { mediaType }) };
}

function chooseDelivery(request: FastifyRequest<Route>, produces: readonly string[]): Delivery {
  const chosen = chooseRepresentation(request.headers.accept, produces);
  return chosen === 'application/json' ? (request.query.artifact ?? 'inline') : 'bytes';
}

/** 422 keeps a client that asked for a file from saving an error as one (`curl -f`). */
function sendOutcome(
  outcome: InvocationOutcome,
  request: FastifyRequest<Route>,
  reply: FastifyReply,
): FastifyReply {
  if (outcome.delivery !== 'bytes') return reply.send(toInvokeAnswer(outcome, request.id));
  const file = outcome.ok ? outcome.file?.content : undefined;
  if (file === undefined || !accepts(request.headers.accept, file.mediaType)) {
    return reply.code(422).send(toInvokeAnswer(outcome, request.id));
  }
  const { bytes } = file;
  return reply
    .headers(fileHeaders(file.name, file.mediaType, bytes))
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}
