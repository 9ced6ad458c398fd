import axe from 'axe-core';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { until } from '../support/until.ts';

/** A person at a browser of their own. */
export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** What the browser complained of: errors of scripts, the console, and the content security policy. */
  complaints: string[];
}

/** What a browser says by itself of a request that the test cut off. */
const OFFLINE = /ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|WebSocket connection to/;

/** Opens a new browser profile. What a lost network makes the browser say is no complaint. */
export async function newVisitor(browser: Browser, address: string): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: address,
    viewport: { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const complaints = await collectComplaints(context);
  return { context, page: await context.newPage(), complaints };
}

/** What the browser complains of in a context from now on, line by line. */
export async function collectComplaints(context: BrowserContext): Promise<string[]> {
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error' && !OFFLINE.test(message.text())) complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(String(error.error())));
  await context.addInitScript(
    `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
       console.error('Content security policy:', violatedDirective, blockedURI));`,
  );
  return complaints;
}

/** Creates an account on the page that /ai shows to who is signed out. */
export async function signUp(page: Page, name: string): Promise<void> {
  await page.goto('/ai');
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(`${name.toLowerCase().replaceAll(' ', '.')}@example.com`);
  await page.getByRole('textbox', { name: 'Password' }).fill('a long password');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
}

/** Asks for an article on the article page, and waits for its first words. */
export async function beginArticle(page: Page, topic: string): Promise<void> {
  await page.goto('/ai/write-article');
  await page.getByLabel('Topic').fill(topic);
  await page.getByRole('button', { name: 'Generate article' }).click();
  await proofText(page).getByText('Where it begins').waitFor();
}

/** The set text of the proof. */
export const proofText = (page: Page) => page.getByRole('region', { name: 'Result' }).locator('.prose');

/** The proof's text once it is whole. */
export async function finishedText(page: Page): Promise<string> {
  await page.getByRole('region', { name: 'Result' }).getByRole('heading', { name: 'Done' }).waitFor();
  return proofText(page).innerText();
}

async function accessibilityViolations(page: Page): Promise<string[]> {
  const run = `${axe.source}; axe.run(document, { resultTypes: ['violations'] })`;
  const { violations } = await page.evaluate<AxeResults>(run);
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
}

/** Resolves once the loading screen is gone and what moves in has come to rest. */
export async function atRest(page: Page): Promise<void> {
  const isAtRest = `document.getAnimations().every(
    (one) => one.playState !== 'running' || one.effect.getTiming().iterations === Infinity)`;
  await until('what moves in is at rest', () => page.evaluate<boolean>(isAtRest));
}

/** What axe finds wrong with the page, one line each, once it is at rest. */
export async function settledViolations(page: Page): Promise<string[]> {
  await atRest(page);
  return accessibilityViolations(page);
}
