import { configureGlobal } from 'fast-check';

/** Set-up of every test file: property tests try the same values each time. FC_SEED=<whole number> tries others. */
configureGlobal({ seed: Number(process.env['FC_SEED'] ?? 1) });
