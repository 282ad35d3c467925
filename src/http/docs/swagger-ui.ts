import helmet from '@fastify/helmet';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyError } from 'fastify';

import type { ErrorHandler } from '../error-handler.ts';
import { nothingHere } from '../guard/nothing-here.ts';
import type { HttpServer } from '../http-server.ts';
import { PAGE_SCRIPT } from './page-script.ts';

/** Swagger UI styles its parts inline, keeps icons in data: URLs and hands files over as blob: URLs. */
const CONTENT_SECURITY_POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
};

/** Swagger UI at /docs, in a scope of its own: a browser page needs other headers than an API. */
export async function addSwaggerUi(app: HttpServer, handleError: ErrorHandler): Promise<void> {
  // What the file server refuses (a path that leaves its folder, a dot file) is not there.
  app.setErrorHandler<FastifyError>((error, request, reply) =>
    handleError(isRefusedFile(error) ? nothingHere() : error, request, reply),
  );
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: 'public' };
  });
  await app.register(helmet, { contentSecurityPolicy: CONTENT_SECURITY_POLICY, hsts: false });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', defaultModelsExpandDepth: 0 },
    uiHooks: { onRequest: hideCopies },
    theme: {
      title: 'tool-broker',
      js: [{ filename: 'page-script.js', content: PAGE_SCRIPT }],
    },
  });
}

function isRefusedFile({ statusCode }: FastifyError): boolean {
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500;
}

/** There is one document, at /openapi.json; the copies that the plug-in serves do not know the credential. */
function hideCopies(request: { url: string }, _reply: unknown, done: (error?: Error) => void): void {
  const isCopy = /^\/docs\/(?:json|yaml)(?:$|\?)/u.test(request.url);
  done(isCopy ? nothingHere() : undefined);
}
