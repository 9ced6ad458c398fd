import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithBrowser } from '../support/available.ts';
import { McpApp } from '../support/mcp-app.ts';
import { PASSWORD } from './account.ts';
import { useBrowserSuite } from './browser-suite.ts';
import { layoutFaults } from './layout-faults.ts';
import { variants } from './screens.ts';
import { settledViolations } from './visitor.ts';

/** A folder for pictures of each state, for who wants to look at them. */
const PICTURES = process.env.CONNECT_PICTURES;

/** An app that signs its user in, in a browser, with no key. */
describeWithBrowser('an app', () => {
  const address = () => suite.product.address.replace('127.0.0.1', 'localhost');
  const suite = useBrowserSuite({
    settings: () => ({ OAUTH_CLIENT_REGISTRATION: 'open' }),
    address,
    allowedComplaints: /Failed to load resource.*status of 40[014]/,
  });
  let callback: Server;
  let redirectUrl: string;
  let returned: (parameters: URLSearchParams) => void;
  beforeAll(async () => {
    callback = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url!, redirectUrl);
      if (pathname === '/callback') returned(searchParams);
      response.setHeader('content-type', 'text/html').end('<h1>Back in the app</h1>');
    });
    await new Promise<void>((listening) => callback.listen(0, '127.0.0.1', listening));
    redirectUrl = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
  });
  afterAll(() => void callback.close());

  it('is connected by a user who signs in for it, and disconnected', async () => {
    const { page, account } = await suite.newUser();
    await page.goto('/ai');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('/');

    const app = new McpApp(new URL('/mcp', address()), redirectUrl);
    const name = `${'Ünïcode-'.repeat(7)}App`;
    app.clientMetadata.client_name = name;
    const faults: string[] = [];
    const client = await app.connect(async (authorization) => {
      await page.goto(authorization.href);
      await page.getByRole('textbox', { name: 'Email' }).fill(account.email);
      await page.getByRole('textbox', { name: 'Password', exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: `Allow ${name} to use your account?` }).waitFor();
      for (const { width, height, theme } of variants) {
        await page.setViewportSize({ width, height });
        await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
        faults.push(...(await settledViolations(page)), ...(await layoutFaults(page)));
        if (PICTURES) {
          mkdirSync(PICTURES, { recursive: true });
          await page.screenshot({ path: join(PICTURES, `connect-${width}-${theme}.png`) });
        }
      }
      await page.getByRole('checkbox', { name: /^Resumes/ }).uncheck();
      const back = new Promise<URLSearchParams>((resolve) => (returned = resolve));
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
      return back;
    });
    expect(faults).toEqual([]);
    const tools = (await client.listTools()).tools.map((tool) => tool.name);
    expect(tools).toContain('generate-image');
    expect(tools).not.toContain('resume-review');

    await page.goto(`${address()}/ai/keys`);
    await page.getByText('Connected app').waitFor();
    if (PICTURES) await page.screenshot({ path: join(PICTURES, 'keys.png') });
    await page.getByRole('button', { name: /^Disconnect the app/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('App disconnected').waitFor();
    await page.getByText('No keys yet.').waitFor();
    await expect(app.open()).rejects.toThrow();
  });

  it('is told if the user refuses, and a request that is not known leads nowhere', async () => {
    const { page } = await suite.newUser();
    const app = new McpApp(new URL('/mcp', address()), redirectUrl);
    const answer = app.connect(async (authorization) => {
      await page.goto(authorization.href);
      const back = new Promise<URLSearchParams>((resolve) => (returned = resolve));
      await page.getByRole('button', { name: 'Refuse' }).click();
      await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
      const parameters = await back;
      expect(parameters.get('error')).toBe('access_denied');
      return parameters;
    });
    await expect(answer).rejects.toThrow();
    const unknown = app.authorizationUrl!;
    unknown.searchParams.set('redirect_uri', 'https://elsewhere.example/');
    await page.goto(unknown.href);
    await page.getByText('This request is not complete').waitFor();
    expect(new URL(page.url()).host).toBe(new URL(address()).host);
  });
});
