import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ERROR_CODES } from '../../src/core/error-codes.ts';
import { ERROR_STATUS } from '../../src/http/error-status.ts';
import { root } from '../support/sources.ts';

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const rows = [...readme.matchAll(/^\| `([A-Z_]+)` \| (\d{3}) \| (yes|no|only while running)/gmu)];

describe('the README', () => {
  it('has one row for each error code, in the order of the code, and none besides', () => {
    expect(rows.map((row) => row[1])).toEqual(Object.keys(ERROR_CODES));
  });

  it('gives each code the status that the service gives it', () => {
    const told = Object.fromEntries(rows.map((row) => [row[1], Number(row[2])]));
    expect(told).toEqual(ERROR_STATUS);
  });

  it('says of each code whether calling again can help', () => {
    const told = Object.fromEntries(rows.map((row) => [row[1], row[3] === 'yes']));
    expect(told).toEqual(
      Object.fromEntries(Object.entries(ERROR_CODES).map(([code, facts]) => [code, facts.retryable])),
    );
  });

  it('opens with the two commands, then a curl that makes a PDF', () => {
    const [first, second] = [...readme.matchAll(/```\n([\s\S]*?)```/gu)].map((block) => block[1]);
    expect(first).toBe('npm ci && npm start\nnpm ci && npm test\n');
    expect(second).toMatch(
      /^curl -fOJ -H 'Accept: application\/pdf'[\s\S]*\/v1\/tools\/create_pdf\/invoke\n$/u,
    );
  });

  it('leads only to files that are there', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/gu)].map((link) => link[1] ?? '');
    expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('has nothing left to fill in', () => {
    expect(readme).not.toContain('@@');
  });
});
