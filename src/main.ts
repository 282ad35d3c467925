import { isIPv6 } from 'node:net';

import closeWithGrace from 'close-with-grace';

import { compose, type Service } from './compose.ts';
import { createLog } from './compose/create-log.ts';
import { checkConfig, type Config } from './config.ts';
import { createApiKey } from './core/api-key.ts';
import { BootError } from './core/boot-error.ts';
import { readVersion } from './compose/read-version.ts';

/** EX_CONFIG of sysexits.h: starting again will not help until something is changed. */
const EXIT_CONFIG = 78;

/** Another process has the port, maybe one that is about to end: starting again may help. */
const EXIT_BUSY = 1;

/** What closing may take beyond the grace that running calls have. */
const CLOSE_MARGIN_MS = 10_000;

/** A balancer that asks /readyz about once a second sees 503 before connections are refused. */
const DRAIN_MS = 1_000;

async function start(): Promise<void> {
  const reading = checkConfig(process.env);
  const { config } = reading;
  const log = createLog(config);
  const operatorKey = createApiKey();
  const service = await compose(reading, {
    log,
    version: readVersion(),
    operatorKey,
    drainMs: DRAIN_MS,
    tell,
  });
  // Before the start line, which whoever started this may answer with a signal.
  closeWithGrace({ delay: config.shutdownGraceMs + CLOSE_MARGIN_MS, logger: false }, async ({ err }) => {
    if (err !== undefined) log.logger.fatal({ err }, 'unexpected end');
    await service.close();
    log.flush();
  });
  const address = await listen(service, config);
  for (const warning of config.warnings) tell(warning);
  tell(startLine({ service, address, operatorKey }));
}

/** The address as it was bound. */
async function listen({ server, close }: Service, { host, port }: Config): Promise<string> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    await close();
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const message = `${host}:${port} cannot be used (${why}).`;
    const remedy = 'Set HOST and PORT to an address that is free; PORT=0 takes any free port.';
    if (why !== 'EADDRINUSE') throw new BootError([{ source: 'PORT', message, remedy }]);
    tell(`tool-broker does not start: ${message} ${remedy}`);
    process.exit(EXIT_BUSY);
  }
  const [bound] = server.addresses();
  return `http://${isIPv6(host) ? `[${host}]` : host}:${typeof bound === 'object' ? bound.port : port}`;
}

function startLine(started: { service: Service; address: string; operatorKey: string }): string {
  const { service, address, operatorKey } = started;
  const approved = service.catalog.known.filter((tool) => tool.approved).length;
  const key = service.keysConfigured
    ? 'API keys are configured'
    : `operator key of this start: ${operatorKey}`;
  const refused = service.catalog.refusals.length + service.catalog.deadEntries.length;
  const more = refused === 0 ? '' : ` · ${refused} refused, see the log`;
  return `tool-broker listens on ${address} · docs: ${address}/docs · ${approved} tools approved · ${key}${more}`;
}

/** For the person at the terminal; standard output is left to the log. */
function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

try {
  await start();
} catch (error) {
  if (!(error instanceof BootError)) throw error;
  tell(`tool-broker does not start: ${error.faults.length} to correct`);
  tell(error.message);
  process.exit(EXIT_CONFIG);
}
