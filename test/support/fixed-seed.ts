import { configureGlobal } from 'fast-check';

/** Property tests that import this file try the same values each time. FC_SEED=<whole number> tries others. */
configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 1) });
