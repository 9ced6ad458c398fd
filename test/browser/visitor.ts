import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { PASSWORD } from './account.ts';
import { ARTICLE_BUTTON } from '../support/article-button.ts';

export type Theme = 'dark' | 'light';

/** A user with their own browser profile. */
export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** Errors of scripts, of the console, and of the content security policy. */
  pageErrors: string[];
}

/** The browser's own messages for a connection that the test interrupted, also while something was sent. */
const OFFLINE =
  /ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|WebSocket connection to|WebSocket is already in CLOSING/;

export interface VisitOptions {
  theme?: Theme;
  /** Shows animations. Without, the user prefers reduced motion: drawing it in software takes most of a processor. */
  motion?: boolean;
}

/** Opens a new browser profile. Messages of a lost network are ignored. */
export async function newVisitor(
  browser: Browser,
  address: string,
  { theme, motion = false }: VisitOptions = {},
): Promise<Visitor> {
  const { context, pageErrors } = await openProfile(browser, {
    baseURL: address,
    viewport: { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: motion ? 'no-preference' : 'reduce',
  });
  await context.addInitScript(noteStatusMessages);
  if (theme) await setTheme(context, theme);
  return { context, page: await context.newPage(), pageErrors };
}

/** Pages of this context start in this theme. */
export async function setTheme(context: BrowserContext, theme: Theme): Promise<void> {
  // An empty page has no storage.
  await context.addInitScript(`if (origin !== 'null') localStorage.setItem('theme', '${theme}')`);
}

/** Records the text of each status message: a toast disappears after two seconds. */
const noteStatusMessages = `(() => {
  globalThis.statusMessages = [];
  const latest = new WeakMap();
  const note = () => {
    for (const one of document.querySelectorAll('[role=status]')) {
      if (latest.get(one) === one.textContent) continue;
      latest.set(one, one.textContent);
      statusMessages.push(one.textContent);
    }
  };
  new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true });
})()`;

/**
 * Resolves once a toast or another status message with this text was shown since the page was loaded. Each counts
 * once.
 */
export async function waitForStatusMessage(page: Page, text: string | RegExp): Promise<void> {
  const isIt = typeof text === 'string' ? `one.includes(${JSON.stringify(text)})` : `${text}.test(one)`;
  const take = `(() => {
    const place = statusMessages.findIndex((one) => ${isIt});
    if (place >= 0) statusMessages.splice(place, 1);
    return place >= 0;
  })()`;
  await until(`the message “${text}”`, () => page.evaluate<boolean>(take));
}

/** Milliseconds that a test waits for a page, on a busy machine. */
const TIMEOUT_MS = 60_000;

/** Opens a browser profile, and collects its errors. */
export async function openProfile(
  browser: Browser,
  options: BrowserContextOptions,
): Promise<Pick<Visitor, 'context' | 'pageErrors'>> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(TIMEOUT_MS);
  const pageErrors: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error' && !OFFLINE.test(message.text())) pageErrors.push(message.text());
  });
  // A part of a page may be on its way still when a story opens the next page, or the machine's network changes; one
  // that cannot be fetched at all leaves its page undrawn, which the story sees.
  context.on('weberror', (error) => {
    const words = String(error.error());
    if (!/dynamically imported module/.test(words)) pageErrors.push(words);
  });
  await context.addInitScript(
    `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
       console.error('Content security policy:', violatedDirective, blockedURI));`,
  );
  return { context, pageErrors };
}

/** Creates an account on the page that /ai shows without a signed-in user. */
export async function signUp(page: Page, name: string): Promise<void> {
  await page.goto('/ai');
  await page.getByRole('button', { name: 'Create an account' }).click();
  await createAccount(page, name);
}

/** Fills in and sends the form for a new account. */
export async function createAccount(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(`${name.toLowerCase().replaceAll(' ', '.')}@example.com`);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
}

/** Asks for an article on the article page, and waits for its first words. */
export async function beginArticle(page: Page, topic: string): Promise<void> {
  await page.goto('/ai/write-article');
  await page.getByLabel('Topic').fill(topic);
  await page.getByRole('button', { name: ARTICLE_BUTTON }).click();
  await resultText(page).getByText('Where it begins').waitFor();
}

/** Opens a page, and waits until it hears of what changes elsewhere. */
export async function openConnected(page: Page, path: string): Promise<void> {
  let isConnected = false;
  page.on('websocket', (socket) =>
    // The server's answer once the socket has joined its user's room.
    socket.on('framereceived', ({ payload }) => (isConnected ||= String(payload).startsWith('40'))),
  );
  await page.goto(path);
  await until('the page to be connected', () => isConnected);
}

/** Script of a page: resolves with the files that drafts of this browser have. */
export const readDraftFiles = `(async () => {
  if (!(await indexedDB.databases()).some((one) => one.name === 'drafts')) return [];
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const database = await done(indexedDB.open('drafts'));
  const files = await done(database.transaction('files').objectStore('files').getAll());
  database.close();
  return files;
})()`;

/** Waits until a chosen file is stored in the browser, so that it survives a reload. */
export const waitForDraftFile = (page: Page, name: string) =>
  until(`the draft file ${name}`, () =>
    page.evaluate<boolean>(
      `${readDraftFiles}.then((files) => files.some((file) => file.name === ${JSON.stringify(name)}))`,
    ),
  );

/** Clicks twice before the page can draw anything between the two. */
export const clickTwice = (button: Locator) =>
  button.evaluate((element: { click: () => void }) => {
    element.click();
    element.click();
  });

/** Presses “Try now”, unless the page has just tried again. */
export async function tryNow(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Try now' });
  await Promise.race([button.click(), button.waitFor({ state: 'detached' })]);
}

/** The text of the result. */
export const resultText = (page: Page) => page.getByRole('region', { name: 'Result' }).locator('.prose');

/** The result's text once it grows no more, and is drawn as Markdown: what has arrived may not be drawn yet. */
export async function stillText(page: Page): Promise<string> {
  let text = '';
  await until(
    'the text to stand still',
    async () => {
      const before = text;
      // A page in the background draws about once a second.
      await page.evaluate(
        'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
      );
      const isRendered = (await resultText(page).locator('.plain-text').count()) === 0;
      text = isRendered ? await resultText(page).innerText() : '';
      return text !== '' && text === before;
    },
    { every: 500 },
  );
  return text;
}

/** The result's text once it is complete. */
export async function finishedText(page: Page): Promise<string> {
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByRole('heading', { name: 'Done' }).waitFor();
  await until('the Markdown is rendered', async () => (await result.locator('.plain-text').count()) === 0);
  return resultText(page).innerText();
}

const axe = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

async function accessibilityViolations(page: Page, options: object): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(axe);
  return page.evaluate<string[]>(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`);
}

/** Resolves once all animations have ended. */
export async function atRest(page: Page): Promise<void> {
  const isAtRest = `document.getAnimations().every(
    (one) => one.playState !== 'running' || one.effect.getTiming().iterations === Infinity)`;
  await until('what moves in is at rest', () => page.evaluate<boolean>(isAtRest));
}

/**
 * Violations that axe finds once animations have ended, one line each.
 * @param onlyColours for a page that was checked whole in another theme
 */
export async function settledViolations(page: Page, { onlyColours = false } = {}): Promise<string[]> {
  await atRest(page);
  return accessibilityViolations(page, {
    resultTypes: ['violations'],
    ...(onlyColours && { runOnly: ['color-contrast', 'link-in-text-block'] }),
  });
}
