import { spawnSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { discoverPackages } from '../../../src/packages/run/discover-packages.ts';
import { makeWorkshop, writeTree } from './support.ts';

const hasGo = spawnSync('go', ['version']).status === 0;

describe.skipIf(!hasGo)('a Go package (needs go on PATH)', () => {
  it('is built by its own `build` into one ELF program', async () => {
    const shop = await makeWorkshop();
    const source = `package main

import (
	"fmt"
	"os"
)

func main() {
	switch len(os.Args) {
	case 1:
		fmt.Println(\`[{"name":"go","description":"Goes."}]\`)
	case 2:
		fmt.Println(\`{"name":"go","description":"Goes.","params_json_schema":{}}\`)
	default:
		fmt.Println(\`{"went":true}\`)
	}
}
`;
    await writeTree(shop.sources, {
      'go-one/main.go': source,
      'go-one/go.mod': 'module go-one\n\ngo 1.20\n',
      'go-one/tool-package.json': '{"version":"1"}',
      'go-one/build': '#!/bin/sh\nCGO_ENABLED=0 exec go build -trimpath -o "$1/launch" .\n',
    });

    await shop.build();

    expect((await discoverPackages(shop.output)).packages[0]?.commands.map(({ name }) => name)).toEqual([
      'go',
    ]);
  }, 180_000);
});
