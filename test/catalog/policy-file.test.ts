import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { readPolicyFile } from '../../src/catalog/policy-file.ts';
import { MAX_POLICY_BYTES } from '../../src/catalog/policy-parse.ts';

const directory = mkdtempSync(join(tmpdir(), 'policy-'));

function write(name: string, content: string | Uint8Array): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

describe('readPolicyFile', () => {
  it('reads the file and names it in every place', () => {
    const path = write('good.yaml', 'approve: [local]\n');
    const { policy, faults } = readPolicyFile({ path });
    expect(faults).toStrictEqual([]);
    expect(policy.source).toBe(path);
    expect(policy.approve).toStrictEqual([{ text: 'local', place: { source: path, line: 1, column: 11 } }]);
  });

  it('takes the entries of BROKER_APPROVE in place of the file’s', () => {
    const path = write('good.yaml', 'approve: [local]\n');
    expect(readPolicyFile({ path, approve: [] }).policy.approve).toStrictEqual([]);
  });

  it.each([
    ['is missing', join(directory, 'nowhere.yaml'), /cannot be read \(ENOENT\)/u],
    ['is a directory', directory, /not a regular file/u],
    ['is a device', '/dev/null', /not a regular file/u],
    ['is below a file', join(write('file', ''), 'x'), /cannot be read \(ENOTDIR\)/u],
    ['is not UTF-8', write('latin.yaml', Buffer.from('# caf\xe9\n', 'latin1')), /not UTF-8/u],
    ['is UTF-16', write('utf16.yaml', Buffer.from('\uFEFFapprove: []', 'utf16le')), /not UTF-8/u],
    ['is too long', write('long.yaml', '#'.repeat(MAX_POLICY_BYTES + 1)), /at most 1048576 are read/u],
  ])('a file that %s is a fault, and approves nothing', (_, path, message) => {
    const { policy, faults } = readPolicyFile({ path });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ source: path, message: expect.stringMatching(message) });
    expect(policy.approve).toStrictEqual([]);
  });

  it('reads a file of exactly the limit, and one with a byte order mark', () => {
    expect(readPolicyFile({ path: write('limit.yaml', '#'.repeat(MAX_POLICY_BYTES)) }).faults).toStrictEqual(
      [],
    );
    expect(readPolicyFile({ path: write('bom.yaml', '\uFEFFapprove: [a@1]') }).policy.approve).toHaveLength(
      1,
    );
  });

  it('still finds what is wrong with BROKER_APPROVE when the file is missing', () => {
    mkdirSync(join(directory, 'empty'), { recursive: true });
    const { policy } = readPolicyFile({ path: join(directory, 'empty', 'x'), approve: ['a@1'] });
    expect(policy.approve.map(({ text }) => text)).toStrictEqual(['a@1']);
  });
});
