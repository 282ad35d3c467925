import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  parseCommandDescription,
  parseCommandList,
  parseOneJson,
  parsePrebuiltManifest,
  parseSourceManifest,
} from '../../src/packages/parse-contract.ts';

describe('what a package says is checked and never trusted', () => {
  it('any text at all is either a value of the right shape or faults, never a throw', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.json(),
      fc.json().map((text) => `\uFEFF${text}\n`),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const parsers = [parseOneJson, parseCommandList, parseSourceManifest, parsePrebuiltManifest];
        expect(
          parsers.map((parse) => parse(text)).every((checked) => checked.ok || checked.faults.length > 0),
        ).toBe(true);
      }),
    );
  });

  it('every list that it accepts has names that are safe in a path and different from each other', () => {
    const name = fc.oneof(
      fc.string(),
      fc.constantFrom('a', 'b', '..', 'a/b', '-x', '__proto__', 'constructor'),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ name, description: fc.constant('x') })), (list) => {
        const checked = parseCommandList(JSON.stringify(list));
        const names = checked.ok ? checked.value.map((entry) => entry.name) : [];
        expect(names.every((name) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/u.test(name))).toBe(true);
        expect(new Set(names).size).toBe(names.length);
      }),
    );
  });

  it('members of a description that the contract does not name are dropped', () => {
    const text = JSON.stringify({ name: 'a', description: 'x', params_json_schema: {}, label: 'A', icon: 1 });

    expect(parseCommandDescription(text, 'a')).toEqual({
      ok: true,
      value: { name: 'a', description: 'x', params_json_schema: {} },
    });
  });

  it('a list of 1,000 commands passes and one of 1,001 does not', () => {
    const text = (count: number) =>
      JSON.stringify(Array.from({ length: count }, (_, index) => ({ name: `c${index}`, description: 'x' })));

    expect(parseCommandList(text(1_000)).ok).toBe(true);
    expect(parseCommandList(text(1_001)).ok).toBe(false);
  });

  it('emoji that are joined hide nothing', () => {
    const description = 'Charts for 👩‍💻 and 👨‍👩‍👧‍👦, in ❤️ and 🏳️‍🌈.';
    const text = JSON.stringify({ name: 'a', description, params_json_schema: {} });

    expect(parseCommandDescription(text, 'a')).toMatchObject({ ok: true, value: { description } });
  });

  it('a description of 10,000 characters passes and one of 10,001 does not', () => {
    const text = (length: number) => JSON.stringify([{ name: 'a', description: 'x'.repeat(length) }]);

    expect(parseCommandList(text(10_000)).ok).toBe(true);
    expect(parseCommandList(text(10_001)).ok).toBe(false);
  });

  it.each([
    ['timeout_ms', 0],
    ['timeout_ms', 3_600_001],
    ['idle_ms', 1.5],
    ['memory_mb', 15],
    ['stdin', 'yes'],
    ['version', 'latest'],
    ['version', '1 0'],
    ['name', 'a b'],
    ['hosts', ['*.example.org']],
    ['hosts', 'example.org'],
    ['nmae', 'x'],
  ])('tool-package.json with %s = %j is a fault that names it', (member, value) => {
    const checked = parseSourceManifest(JSON.stringify({ [member]: value }));

    expect(
      checked.ok ? [] : checked.faults.map(({ path, message }) => `${path} ${message}`).join(),
    ).toContain(member);
  });

  it.each([
    [{}],
    [{ stdin: true, hosts: ['api.example.org', 'localhost:8080'], timeout_ms: 1, memory_mb: 16 }],
  ])('tool-package.json %j is fine', (manifest) => {
    expect(parseSourceManifest(JSON.stringify(manifest))).toEqual({ ok: true, value: manifest });
  });
});
