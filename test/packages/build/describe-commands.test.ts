import { describe, expect, it } from 'vitest';

import { makeWorkshop, printer, programPackage, under, writeTree } from './support.ts';

describe('what a launcher answers while it is built', () => {
  const LIST = '[{"name":"a","description":"Does a."}]';
  it.each([
    [
      'a banner before the list',
      printer(`Welcome!\n${LIST}`),
      'is not one JSON document; it begins "Welcome!',
    ],
    ['two documents', printer(`${LIST}\n${LIST}`), 'is not one JSON document'],
    ['nothing', printer(''), 'is empty; expected one JSON document'],
    ['an object', printer('{"a":1}'), 'must be array'],
    ['undefined', printer('undefined'), 'is not one JSON document'],
    ['a name with a dash first', printer('[{"name":"-rf","description":"x"}]'), '/0/name must match pattern'],
    ['a name that is a path', printer('[{"name":"../x","description":"x"}]'), '/0/name must match pattern'],
    ['no description', printer('[{"name":"a"}]'), '/0 lacks description'],
    [
      'a blank description',
      printer('[{"name":"a","description":"  "}]'),
      '/0/description must match pattern',
    ],
    [
      'one name twice',
      printer('[{"name":"a","description":"x"},{"name":"a","description":"y"}]'),
      'lists the command "a" twice',
    ],
    ['an exit code', printer(LIST, '{}', 3), 'ended with exit code 3; expected 0.\nstdout: [{"name"'],
    [
      'another name in the description',
      printer(LIST, '{"name":"b","description":"x","params_json_schema":{}}'),
      'describes "b"; expected "a"',
    ],
    ['no schema', printer(LIST, '{"name":"a","description":"x"}'), 'lacks params_json_schema'],
    [
      'a schema that is no object',
      printer(LIST, '{"name":"a","description":"x","params_json_schema":true}'),
      '/params_json_schema must be object, received true',
    ],
    [
      'a different list each time',
      '#!/bin/sh\necho "[{\\"name\\":\\"a$$\\",\\"description\\":\\"x\\"}]"\n',
      'lists differently twice',
    ],
    ['a signal', '#!/bin/sh\nkill -SEGV $$\n', 'was ended by SIGSEGV'],
  ])('[S2.2.4-3] stops at %s and shows what was printed', async (_title, launcher, message) => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, under('greeter', programPackage(launcher)));

    await expect(shop.build()).rejects.toThrow(message);
  });

  it('stops at a list of 1,001 commands before it asks about any of them', async () => {
    const list = Array.from({ length: 1_001 }, (_, index) => ({ name: `c${index}`, description: 'x' }));
    const build = '#!/bin/sh\ncp program "$1/launch"; cp list "$1/list"\n';
    const launcher = '#!/bin/sh\n[ $# -eq 0 ] || exit 9\ncat "${0%/*}/list"\n';
    const shop = await makeWorkshop();
    await writeTree(
      shop.sources,
      under('many', { ...programPackage(launcher), build, list: JSON.stringify(list) }),
    );

    await expect(shop.build()).rejects.toThrow('lists 1001 commands; at most 1000 are allowed');
  });

  it('accepts a byte order mark and white space around the JSON', async () => {
    const shop = await makeWorkshop();
    const described = '{"name":"a","description":"x","params_json_schema":{"type":"object"}}';
    await writeTree(
      shop.sources,
      under('greeter', programPackage(printer(`\uFEFF\n ${LIST} \n`, described))),
    );

    expect((await shop.build()).outcomes[0]?.outcome).toBe('built');
  });
});
