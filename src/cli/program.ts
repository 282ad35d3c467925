import { Command } from 'commander';

import { explainTool } from './explain.ts';
import { newKey } from './keys-new.ts';
import { lintDescriptions } from './lint.ts';
import { packagesBuild } from './packages-build.ts';
import { lintSkills } from './skills-lint.ts';
import { pinSkills } from './skills-pin.ts';
import { verifySkills } from './skills-verify.ts';
import { listTools } from './tools.ts';
import { withCatalog } from './with-catalog.ts';

export interface ProgramParts {
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** One line of what a command is for. */
  readonly print: (line: string) => void;
  /** One line for the person who waits. */
  readonly tell: (line: string) => void;
  /** Called with the exit code of the command that ran. */
  readonly exit: (code: number) => void;
}

/** Where the shipped skills lie in a checkout. */
const SKILLS_ROOT = 'skills';

/** The operator's command line. A wrong command or option is told by commander, with exit code 1. */
export function createProgram(parts: ProgramParts): Command {
  const program = new Command('tool-broker')
    .description('The command line of the operator. The service itself is started with `npm start`.')
    .version(parts.version)
    .showHelpAfterError('(tool-broker --help shows the commands)');
  addTools(program, parts);
  addExplain(program, parts);
  addLint(program, parts);
  addKeys(program, parts);
  addSkills(program, parts);
  addPackages(program, parts);
  return program;
}

function addTools(program: Command, { environment, print, exit }: ProgramParts): void {
  program
    .command('tools')
    .description('list every tool that a start would find, approved or not, and what it would refuse')
    .option('--json', 'one JSON document', false)
    .action(async ({ json }: { json: boolean }) => {
      exit(await withCatalog(environment, print, ({ catalog }) => listTools(catalog, { json, print })));
    });
}

function addExplain(program: Command, { environment, print, exit }: ProgramParts): void {
  program
    .command('explain')
    .description('say why a tool can or cannot be called, and which line of the policy decides it')
    .argument('<ref>', 'name, name@version or package:command')
    .option('--caller <name>', 'a caller of the policy')
    .option('--json', 'one JSON document', false)
    .addHelpText(
      'after',
      '\nExit code 0 when it can be called, 1 when not, 2 for an unknown caller, 78 as a start.',
    )
    .action(async (ref: string, options: { caller?: string; json: boolean }) => {
      exit(
        await withCatalog(environment, print, (opened) => explainTool(opened, { ref, ...options, print })),
      );
    });
}

function addLint(program: Command, { environment, print, exit }: ProgramParts): void {
  program
    .command('lint')
    .description('score what models read of tools, and say what would make it better')
    .argument('[target...]', 'tools, or directories of skills or built packages; none: all tools')
    .option('--min <score>', 'fail when an adjusted score is lower, 0 to 1')
    .option('--json', 'one JSON document', false)
    .addHelpText(
      'after',
      '\nExit code 0 when all are fit, 1 when not, 2 when there is nothing to lint, 78 as a start.',
    )
    .action(async (targets: string[], options: { min?: string; json: boolean }) => {
      exit(await lintDescriptions({ targets, ...options, environment, print }));
    });
}

function addKeys(program: Command, { print, exit }: ProgramParts): void {
  program
    .command('keys')
    .description('API keys')
    .command('new')
    .description('make a key: shown once, with the lines for the policy')
    .requiredOption('--name <name>', 'of the caller')
    .option('--role <role...>', 'runner, operator or both', ['runner'])
    .action(({ name, role }: { name: string; role: string[] }) => exit(newKey({ name, roles: role, print })));
}

function addSkills(program: Command, { print, exit }: ProgramParts): void {
  const skills = program.command('skills').description('skills on disk and their pins');
  skills
    .command('pin')
    .description('show how the skills differ from their pins, then write the pins')
    .argument('[directory]', 'the directory that holds the skill directories', SKILLS_ROOT)
    .option('--dry-run', 'show only', false)
    .action((root: string, { dryRun }: { dryRun: boolean }) => exit(pinSkills({ root, dryRun, print })));
  skills
    .command('verify')
    .description('hold the files against the pins, as a start does; exit code 1 when they differ')
    .argument('[directory]', 'the directory that holds the skill directories', SKILLS_ROOT)
    .action((root: string) => exit(verifySkills({ root, print })));
  skills
    .command('lint')
    .description('every finding of one skill, or of each in a directory')
    .argument('[directory]', 'a skill, or a directory of skills', SKILLS_ROOT)
    .option('--json', 'one JSON document', false)
    .action((directory: string, { json }: { json: boolean }) => exit(lintSkills({ directory, json, print })));
}

/** Progress goes to standard error. */
function addPackages(program: Command, { environment, tell, exit }: ProgramParts): void {
  program
    .command('packages')
    .description('tool packages')
    .command('build')
    .description('build tool packages: all that have changed, or the named ones')
    .argument('[name...]', 'of packages')
    .option('--force', 'also what has not changed', false)
    .option('--sources <directory>', 'where the sources lie', 'tool-packages')
    .option('--output <directory>', 'where the built packages go', 'prebuilt')
    .action(async (names: string[], options: { force: boolean; sources: string; output: string }) => {
      exit(await packagesBuild({ names, ...options, environment, print: tell }));
    });
}
