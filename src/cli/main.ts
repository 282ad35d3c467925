#!/usr/bin/env node
import { readVersion } from '../compose/read-version.ts';
import { createProgram } from './program.ts';

const program = createProgram({
  version: readVersion(),
  environment: process.env,
  print: (line) => console.log(line),
  tell: (line) => console.error(line),
  exit: (code) => {
    process.exitCode = code;
  },
});

try {
  await program.parseAsync();
} catch (error) {
  console.error(`tool-broker: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
