import { chmod, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { GREETER, makeWorkshop, programPackage, under, writeTree } from './support.ts';

describe('a package with an executable `build`', () => {
  it('gives `build` a copy of the source, a home of its own, PATH, and none of the builder’s other variables', async () => {
    const shop = await makeWorkshop();
    const build =
      '#!/bin/sh\nenv | sed "s/=.*//" | sort > "$1/variables"\npwd > "$1/place"\ncp program "$1/launch"\n';
    await writeTree(shop.sources, under('greeter', { ...programPackage(), build }));
    process.env['SECRET_OF_THE_BUILDER'] = 'x';

    await shop.build();

    delete process.env['SECRET_OF_THE_BUILDER'];
    const names = (await readFile(join(shop.output, 'greeter/variables'), 'utf8')).trim().split('\n');
    expect(names.filter((name) => !['PWD', 'SHLVL', 'OLDPWD', '_'].includes(name))).toEqual([
      'HOME',
      'LANG',
      'PATH',
      'TMPDIR',
    ]);
    expect(await readFile(join(shop.output, 'greeter/place'), 'utf8')).not.toContain(shop.sources);
  });

  it.each([
    ['fails', '#!/bin/sh\necho no compiler >&2\nexit 7\n', 'ended with 7. It printed:\nno compiler'],
    ['leaves no launcher', '#!/bin/sh\nexit 0\n', 'the built file "launch" is missing'],
    [
      'leaves a fifo',
      '#!/bin/sh\ncp program "$1/launch"; mkfifo "$1/pipe"\n',
      '"pipe" is neither a file nor a link',
    ],
    [
      'leaves a link out',
      '#!/bin/sh\ncp program "$1/launch"; ln -s ../../x "$1/l"\n',
      'the link "l" leaves the package',
    ],
    [
      'leaves a launcher that cannot be started',
      '#!/bin/sh\necho hi > "$1/launch"; chmod +x "$1/launch"\n',
      'begins with "hi',
    ],
  ])('stops when `build` %s', async (_title, build, message) => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, under('greeter', { ...programPackage(), build }));

    await expect(shop.build()).rejects.toThrow(message);
  });

  it('takes a linked file for what it links to', async () => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, { ...under('greeter', programPackage()), 'shared.sh': GREETER });
    await rm(join(shop.sources, 'greeter/program'));
    await symlink('../shared.sh', join(shop.sources, 'greeter/program'));
    await shop.build();
    expect((await shop.build()).outcomes[0]?.outcome).toBe('unchanged');

    await writeFile(join(shop.sources, 'shared.sh'), `${GREETER}# edited\n`);

    expect((await shop.build()).outcomes[0]?.outcome).toBe('built');
    expect(await readFile(join(shop.output, 'greeter/launch'), 'utf8')).toContain('# edited');
  });

  it('says that `build` must be executable, rather than guess', async () => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, under('greeter', programPackage()));
    await chmod(join(shop.sources, 'greeter/build'), 0o644);

    await expect(shop.build()).rejects.toThrow('has a file `build` that is not executable');
  });

  it('refuses a launcher that writes into its own package', async () => {
    const shop = await makeWorkshop();
    const program = GREETER.replace('#!/bin/sh', '#!/bin/sh\ndate > "${0%/*}/log"');
    await writeTree(shop.sources, under('greeter', programPackage(program)));

    await expect(shop.build()).rejects.toThrow('changes files of its own package');
  });
});
