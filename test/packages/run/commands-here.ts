import type { ToolFile } from '../../../src/core/artifact.ts';
import { createShelf } from '../../../src/core/shelf.ts';
import type { ExecuteContext, Tool } from '../../../src/core/tool.ts';
import type { DiscoveredPackage } from '../../../src/packages/discovered-package.ts';
import { createCommandTool, type CommandToolParts } from '../../../src/packages/run/command-tool.ts';
import type { Runner } from '../../../src/packages/run/runner.ts';
import { zooPackage } from './zoo-package.ts';

export const COMMAND_LIMITS = { timeoutMs: 10_000, idleMs: 10_000 };

/** One launcher of the zoo as discovery would hand it over. */
export function discovered(name: string, more: Partial<DiscoveredPackage> = {}): DiscoveredPackage {
  const { launcher, packageDir } = zooPackage(name);
  return {
    name,
    version: '1',
    directory: packageDir,
    launcher,
    pinned: [],
    stdin: false,
    files: false,
    hosts: [],
    limits: COMMAND_LIMITS,
    digest: `sha256:${'0'.repeat(64)}`,
    commands: [],
    ...more,
  };
}

/** The command's name is the first argument of the launcher. */
export function commandTool(
  runner: Runner,
  pkg: DiscoveredPackage,
  { name = 'command', ...parts }: Partial<CommandToolParts> & { name?: string } = {},
): Tool {
  const spec: Tool['spec'] = {
    name,
    version: '1',
    kind: 'tool',
    origin: `package:${pkg.name}`,
    summary: 'Tries something.',
    description: 'Tries something.',
    inputSchema: { type: 'object' },
    lane: 'process',
  };
  return createCommandTool(pkg, { name, spec }, { runner, grant: {}, maxArtifactBytes: 1_000_000, ...parts });
}

export function context(
  files: readonly ToolFile[] = [],
  deadlineMs = 10_000,
): ExecuteContext & { readonly files: readonly ToolFile[] } {
  return {
    signal: new AbortController().signal,
    deadline: performance.now() + deadlineMs,
    shelf: createShelf([]),
    log: () => {},
    files,
  };
}
