#!/usr/bin/env node
import { existsSync } from 'node:fs';

const main = new URL('../dist/cli/main.js', import.meta.url);
if (existsSync(main)) {
  await import(main.href);
} else {
  console.error('tool-broker has not been built here; run `npm run prebuild` (or `npm start`) first.');
  process.exitCode = 1;
}
