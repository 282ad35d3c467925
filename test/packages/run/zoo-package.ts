import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ZOO = fileURLToPath(new URL('../../fixtures/tool-packages/', import.meta.url));

/** One launcher of the zoo. */
export function zooPackage(name: string): { launcher: string; packageDir: string } {
  const packageDir = join(ZOO, name);
  return { packageDir, launcher: join(packageDir, 'launch') };
}
