import swagger from '@fastify/swagger';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';

import { BrokerError } from '../core/broker-error.ts';
import { isJsonObject } from '../core/json.ts';
import { quote } from '../core/quote.ts';
import type { HttpDeps } from './deps.ts';
import { addSwaggerUi } from './docs/swagger-ui.ts';
import { endConnectionsOnClose } from './end-connections.ts';
import { createErrorHandler } from './error-handler.ts';
import { handleExpectations } from './expectation.ts';
import { createRequestCheck } from './guard/check-request.ts';
import { nothingHere } from './guard/nothing-here.ts';
import { addRequestGuard } from './guard/request-guard.ts';
import type { HttpServer } from './http-server.ts';
import { requireJsonMediaType } from './json/json-media-type.ts';
import { readJsonBody } from './json/read-json.ts';
import { documentOptions } from './openapi/document-options.ts';
import { refuseConnect } from './refuse-connect.ts';
import { addDescribeTool } from './routes/describe-tool.ts';
import { addEndRun } from './routes/end-run.ts';
import { addExplainCall } from './routes/explain-call.ts';
import { addInvokeTool } from './routes/invoke-tool.ts';
import { addListTools } from './routes/list-tools.ts';
import { addReadArtifact } from './routes/read-artifact.ts';
import { addReadShelf } from './routes/read-shelf.ts';
import { addScoreTool } from './routes/score-tool.ts';
import { addShowPrompt } from './routes/show-prompt.ts';
import { addShowCatalog } from './routes/show-catalog.ts';
import { addShowHealth } from './routes/show-health.ts';
import { addShowOpenapi } from './routes/show-openapi.ts';
import { addShowRun } from './routes/show-run.ts';
import { addStartRun } from './routes/start-run.ts';
import { addUploadArtifact } from './routes/upload-artifact.ts';
import { serverOptions } from './server-options.ts';
import { SHARED_SCHEMAS } from './wire/shared-schemas.ts';
import { wireValidator } from './wire-validator.ts';

/** The HTTP side of the service, not yet listening. Everything is registered here, in order. */
export function createServer(deps: HttpDeps): HttpServer {
  const handleError = createErrorHandler(deps);
  const checkRequest = createRequestCheck(deps);
  const app = Fastify(
    serverOptions(deps.settings, handleError, checkRequest),
  ).withTypeProvider<TypeBoxTypeProvider>();
  // Node drops headers after the 2,000th without a word, a credential among them. The limit of 16 KiB bounds them.
  app.server.maxHeadersCount = 0;
  refuseConnect(app.server);
  handleExpectations(app.server, Math.max(deps.settings.maxBodyBytes, deps.settings.maxUploadBytes));
  app.setErrorHandler(handleError);
  app.setNotFoundHandler(() => {
    throw nothingHere();
  });
  app.setValidatorCompiler(wireValidator);
  app.setSerializerCompiler(() => JSON.stringify);
  endConnectionsOnClose(app);
  addRequestGuard(app, checkRequest, deps.settings);
  addJsonParser(app);
  for (const schema of SHARED_SCHEMAS) app.addSchema(schema);
  app.register(swagger, documentOptions(deps.settings));
  app.register(async (scope: HttpServer) => {
    addListTools(scope, deps);
    addDescribeTool(scope, deps);
    addInvokeTool(scope, deps);
    addReadArtifact(scope, deps);
    addStartRun(scope, deps);
    addShowRun(scope, deps);
    addEndRun(scope, deps);
    addScoreTool(scope, deps);
    addReadShelf(scope, deps);
    addShowPrompt(scope, deps);
    addShowCatalog(scope, deps);
    addExplainCall(scope, deps);
    addShowHealth(scope, deps);
    addShowOpenapi(scope, deps);
  });
  app.register(async (scope: HttpServer) => addUploadArtifact(scope, deps));
  app.register(async (scope: HttpServer) => addSwaggerUi(scope, handleError));
  return app;
}

/** Only JSON objects are bodies, read so that nothing in them is changed. */
function addJsonParser(app: HttpServer): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    requireJsonMediaType(request.headers);
    const value = readJsonBody(body);
    if (!isJsonObject(value)) {
      throw new BrokerError('INVALID_INPUT', `The body must be a JSON object; received ${quote(value)}.`);
    }
    done(null, value);
  });
}
