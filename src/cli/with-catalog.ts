import { createLog } from '../compose/create-log.ts';
import { openCatalog, type OpenCatalog } from '../compose/open-catalog.ts';
import { checkConfig } from '../config.ts';
import { BootError } from '../core/boot-error.ts';

/** EX_CONFIG of sysexits.h, as a start gives it. */
const EXIT_CONFIG = 78;

/**
 * Reads the environment, the policy, the skills and the packages as a start does, without a server, for as long as
 * `use` takes. What would stop the start is told, fault by fault, and gives its exit code.
 */
export async function withCatalog(
  environment: Readonly<Record<string, string | undefined>>,
  print: (line: string) => void,
  use: (opened: OpenCatalog) => number,
): Promise<number> {
  try {
    const log = createLog({ logLevel: 'silent', auditSync: false });
    const opened = await openCatalog(checkConfig(environment), { log });
    try {
      return use(opened);
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (!(error instanceof BootError)) throw error;
    print(`The service would not start: ${error.faults.length} to correct.`);
    print(error.message);
    return EXIT_CONFIG;
  }
}
