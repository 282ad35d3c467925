import { existsSync } from 'node:fs';

import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { compose, type Service } from '../../src/compose.ts';
import { createLog } from '../../src/compose/create-log.ts';
import { checkConfig } from '../../src/config.ts';
import { createApiKey } from '../../src/core/api-key.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const hasChromium = existsSync(CHROMIUM);
if (!hasChromium)
  console.warn(`Swagger UI is not looked at: there is no ${CHROMIUM} (set CHROMIUM to a browser).`);

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
];

describe.skipIf(!hasChromium)('Swagger UI in a browser', { timeout: 60_000 }, () => {
  let browser: Browser;
  const services: Service[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await Promise.all(services.map((service) => service.close()));
  });

  /** The page of a new service, with all that the browser complained about. */
  async function open(environment: Record<string, string>): Promise<{ page: Page; complaints: string[] }> {
    const service = await compose(checkConfig(environment, { dotEnvPath: '' }), {
      log: createLog({ logLevel: 'silent', auditSync: false }),
      version: '0.0.0-test',
      operatorKey: createApiKey(),
    });
    services.push(service);
    const address = await service.server.listen({ port: 0, host: '127.0.0.1' });
    const page = await browser.newPage({ viewport: { width: 1_300, height: 1_000 } });
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (line) => (line.type() === 'error' ? complaints.push(line.text()) : undefined));
    page.on('requestfailed', (request) =>
      complaints.push(`${request.url()} ${request.failure()?.errorText ?? ''}`),
    );
    await page.goto(`${address}/docs`);
    await page.waitForSelector('.opblock');
    return { page, complaints };
  }

  const operation = (page: Page, path: string) =>
    page.locator('.opblock').filter({ has: page.locator(`[data-path="${path}"]`) });

  /** Leaves the dialog open. */
  async function authorize(page: Page, key: string): Promise<number> {
    await page.locator('.auth-wrapper .authorize').first().click();
    await page.locator('.auth-container input').fill(key);
    const loaded = page.waitForResponse((response) => response.url().endsWith('/openapi.json'));
    await page.locator('.auth-container button.authorize').click();
    return (await loaded).status();
  }

  it('fills in create_pdf so that "Try it out" and "Execute" make a PDF', async () => {
    const { page, complaints } = await open({});
    const block = operation(page, '/v1/tools/create_pdf@1/invoke');
    await block.locator('.opblock-summary-control').click();
    await block.getByRole('button', { name: 'Try it out' }).click();
    expect(JSON.parse(await block.locator('textarea').inputValue()) as unknown).toHaveProperty(
      'arguments.body',
    );
    await block.getByRole('button', { name: 'Execute' }).click();
    const answer = block.locator('.live-responses-table tbody .response').first();
    await answer.waitFor();
    expect(await answer.locator('.response-col_status').innerText()).toContain('200');
    expect(await answer.locator('.response-col_description').innerText()).toContain(
      '"media_type": "application/pdf"',
    );
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('hands the bare PDF over as a download where the media type is chosen', async () => {
    const { page, complaints } = await open({});
    const block = operation(page, '/v1/tools/create_pdf@1/invoke');
    await block.locator('.opblock-summary-control').click();
    await block.getByRole('button', { name: 'Try it out' }).click();
    await block.locator('.response-controls select').first().selectOption('application/pdf');
    await block.getByRole('button', { name: 'Execute' }).click();
    const link = block.locator('.live-responses-table a[download]');
    await link.waitFor();
    expect(await link.getAttribute('download')).toMatch(/\.pdf$/u);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('shows the general routes without a key, and the tools after Authorize', async () => {
    const key = createApiKey();
    const { page, complaints } = await open({ API_KEY: key });
    expect(await operation(page, '/v1/tools').count()).toBe(1);
    expect(await operation(page, '/v1/tools/make_plan@1/invoke').count()).toBe(0);
    expect(await authorize(page, key)).toBe(200);
    await operation(page, '/v1/tools/make_plan@1/invoke').waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('takes a wrong key back and says so, leaving the page as it was', async () => {
    const key = createApiKey();
    const { page } = await open({ API_KEY: key });
    expect(await authorize(page, createApiKey())).toBe(401);
    await page.locator('.auth-container').getByText('The service refuses this key.').waitFor();
    await page.locator('.auth-container input').fill(key);
    await page.locator('.auth-container button.authorize').click();
    await page.locator('.auth-container .btn-done').click();
    await operation(page, '/v1/tools/make_plan@1/invoke').waitFor();
    expect(await operation(page, '/v1/tools').count()).toBe(1);
    await page.close();
  });
});
