// The worker when the service runs from its sources: Node 20 ignores --import in a worker thread, so the loader that
// compiles TypeScript is registered here. Not part of the build.
import { register } from 'tsx/esm/api';

register();
export const { typesetTask } = await import('./worker.ts');
