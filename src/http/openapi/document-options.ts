import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';

import type { HttpSettings } from '../deps.ts';
import { TOOL_TAG } from './tool-operation.ts';

/** What the document says besides its routes. */
export function documentOptions({ version, keysConfigured }: HttpSettings): FastifyDynamicSwaggerOptions {
  return {
    convertConstToEnum: false,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'tool-broker',
        version,
        description:
          'Stands between AI-agent runners and what an agent may do: list, describe and call tools, gated by the policy of ' +
          'the operator. Each tool that you may call is an operation of its own below.',
        license: { name: 'MIT', identifier: 'MIT' } as { name: string },
      },
      servers: [{ url: '/' }],
      tags: [
        { name: TOOL_TAG, description: 'One operation for each tool that this credential may call.' },
        { name: 'Tools', description: 'List, describe and call any of them.' },
        { name: 'Runs', description: 'One job of an agent: an allowlist, budgets and an end.' },
        { name: 'Artifacts', description: 'Files that calls have made or will take.' },
        { name: 'Operators', description: 'For the role `operator`.' },
        { name: 'Health', description: 'For whatever watches the process.' },
        { name: 'API', description: 'This document.' },
      ],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API key, or the token of a run.' },
        },
      },
      security: keysConfigured ? [{ bearer: [] }] : [{ bearer: [] }, {}],
    },
    refResolver: {
      buildLocalReference: ({ $id: id }, _baseUri, _fragment, index) =>
        typeof id === 'string' ? id : `def-${index}`,
    },
  };
}
