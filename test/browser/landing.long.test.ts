import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { contractOf, toolNames } from '#libs/tools/catalogue.js';
import { describeWithBrowser } from '../support/available.ts';
import { until } from '../support/until.ts';
import { useBrowserSuite } from './browser-suite.ts';
import { settledViolations } from './visitor.ts';

/** The start page, its navigation and the themes, in a real browser. */
describeWithBrowser('the start page', () => {
  const suite = useBrowserSuite();

  it('shows a loading screen for its first second only', async () => {
    const { page } = await suite.visit({ motion: true });
    // Recorded in the page: it may disappear before the test reads it.
    await page.addInitScript(`
      const look = () => {
        const screen = document.querySelector('.loading-screen');
        const [fade] = screen?.getAnimations() ?? [];
        if (!fade) return requestAnimationFrame(look);
        const visible = screen.checkVisibility({ opacityProperty: true, visibilityProperty: true });
        globalThis.boot = { visible, delay: fade.effect.getTiming().delay };
      };
      look();`);
    await page.goto('/');
    const boot = await until('the loading screen', () =>
      page.evaluate<object | null>('globalThis.boot ?? null'),
    );
    expect(boot).toEqual({ visible: true, delay: 1_000 });
    const screen = page.locator('.loading-screen');
    await screen.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Terms' }).click();
    await page.getByRole('heading', { name: 'Terms', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Privacy' }).click();
    await page.getByRole('heading', { name: 'Privacy', level: 1 }).waitFor();
    expect(await screen.count()).toBe(0);
  });

  it('leads from a signed-in page to the sections, switches the plan there, and out again', async () => {
    const { page } = await suite.signedIn({ name: 'Nora Navigates' });
    await page.getByRole('link', { name: 'Pricing' }).click();
    await atTop(page, '#Plan');
    expect(new URL(page.url()).pathname).toBe('/');
    const card = (name: string) =>
      page.getByRole('article').filter({ has: page.getByRole('heading', { name }) });
    await card('Free').getByText('Your plan').waitFor();
    await card('Premium').getByRole('button', { name: 'Switch to Premium' }).click();
    await card('Premium').getByText('Your plan').waitFor();
    await card('Free').getByRole('button', { name: 'Switch to Free' }).waitFor();

    await page.goto('/terms');
    await page.getByRole('link', { name: 'Features' }).click();
    await atTop(page, '#AiTools');
    const pageCount = toolNames.filter((tool) => contractOf(tool).partOf === undefined).length;
    const toolLinks = page.locator('#AiTools').getByRole('link');
    await until('the tools to be linked', async () => (await toolLinks.count()) === pageCount);
    await page.getByRole('link', { name: 'Pricing' }).click();
    await atTop(page, '#Plan');
    await page.getByRole('button', { name: 'Nora Navigates, account menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Get Started' }).waitFor();
    await until('no tool to be linked', async () => (await toolLinks.count()) === 0);
    await card('Premium').getByRole('button').click();
    await page.getByRole('dialog').getByRole('heading', { name: 'Create an account' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Get Started' }).click();
    await page.getByRole('dialog').getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
  });

  it('opens one question at a time by keyboard, and the demo in a tab without access to the opener', async () => {
    const { page } = await suite.visit();
    await page.goto('/');
    await takenOver(page);
    const questions = page.locator('#Faq').getByRole('button');
    const open = () => page.locator('#Faq').getByRole('button', { expanded: true }).allInnerTexts();
    await questions.first().focus();
    expect(await open()).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'What is a credit?' }).waitFor();
    expect(await page.getByRole('region', { name: 'What is a credit?' }).locator('p').count()).toBe(2);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    expect(await open()).toEqual(['What does the premium plan add?']);
    await page.keyboard.press('Space');
    expect(await open()).toEqual([]);

    const demo = page.getByRole('link', { name: 'Watch demo' });
    expect(await demo.getAttribute('target')).toBe('_blank');
    expect(await demo.getAttribute('rel')).toContain('noopener');
    expect(await demo.getAttribute('href')).toMatch(/^https:/);
    expect(await page.getByText(`© ${new Date().getFullYear()} Pressroom`).count()).toBe(1);
    expect(
      await page.getByRole('list', { name: 'Pressroom on social media' }).getByRole('link').count(),
    ).toBe(5);
    const preview = await page.locator('meta[property="og:image"]').getAttribute('content');
    expect(
      (await page.request.get(new URL(preview ?? '', suite.product.address).pathname)).headers(),
    ).toMatchObject({
      'content-type': 'image/png',
    });
  });

  it('lets the steps come in when the section reaches 85% of the window', async () => {
    const { page } = await suite.visit({ motion: true });
    await page.goto('/');
    await takenOver(page);
    const opacity = () =>
      page.evaluate<number>(`Number(getComputedStyle(document.querySelector('#HowItWorks li')).opacity)`);
    const scrollTo = (share: number) =>
      page.evaluate(
        `scrollTo({ top: document.querySelector('#HowItWorks').getBoundingClientRect().top + scrollY - innerHeight * ${share}, behavior: 'instant' })`,
      );
    await until('the first step to be hidden', async () => (await opacity()) === 0);
    await scrollTo(0.9);
    expect(await opacity()).toBe(0);
    await scrollTo(0.8);
    await until('the first step is there', async () => (await opacity()) === 1);

    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/');
    await takenOver(page);
    expect(await opacity()).toBe(1);
  });

  it('keeps the theme, shows it from the first paint, and applies it in a second tab', async () => {
    const { page } = await suite.visit({ motion: true });
    const sounds: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/sounds/light-switch.mp3')) sounds.push(request.url());
    });
    // The circle may have opened before the test can read it.
    await page.addInitScript(`
      globalThis.circles = [];
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (...how) {
        const animation = animate.apply(this, how);
        const { pseudoElement } = animation.effect;
        const [{ clipPath }] = animation.effect.getKeyframes();
        if (pseudoElement === '::view-transition-new(root)' && clipPath && document.getAnimations().includes(animation))
          circles.push(animation.effect.getTiming().duration);
        return animation;
      };`);
    await page.goto('/');
    await takenOver(page);
    expect(await themeOf(page)).toBe('dark');
    const second = await page.context().newPage();
    await second.goto('/terms');
    await page.bringToFront();
    await page.getByRole('button', { name: 'Switch to the light theme' }).click();
    const circle = () => page.evaluate<number | null>('circles.at(-1) ?? null');
    expect(await until('the circle opens', circle)).toBe(800);
    expect(await themeOf(page)).toBe('light');
    await until('the switch sounds', () => sounds.length > 0);
    expect(await page.evaluate(`localStorage.getItem('theme')`)).toBe('light');
    await second.getByRole('button', { name: 'Switch to the dark theme' }).waitFor();
    expect(await themeOf(second)).toBe('light');

    // The theme at each moment of the next load, from before the first paint on.
    await page.addInitScript(`
      window.seen = [];
      new MutationObserver(() => document.body && window.seen.push(document.documentElement.dataset.theme))
        .observe(document, { subtree: true, childList: true, attributes: true });`);
    await page.reload();
    await page.getByRole('button', { name: 'Switch to the dark theme' }).waitFor();
    expect(await page.evaluate(`[...new Set(window.seen)]`)).toEqual(['light']);
  });

  it('can be read before scripts load, and without them', async () => {
    const context = await suite.browser.newContext({
      baseURL: suite.product.address,
      javaScriptEnabled: false,
    });
    try {
      const page = await context.newPage();
      await page.goto('/');
      await page.getByRole('heading', { name: 'Powerful content creation', level: 1 }).waitFor();
      const seen = await page.evaluate<string[]>(
        `[...document.querySelectorAll('figure p > span, #HowItWorks li')].map((part) => getComputedStyle(part).opacity)`,
      );
      expect(new Set(seen)).toEqual(new Set(['1']));
      // The schemas of the contract would make the start page heavier by a fifth.
      const parts = await page.locator('script[data-parts]').getAttribute('data-parts');
      expect(parts).toMatch(/start-/);
      expect(parts).not.toMatch(/zod/);
      await page.locator('.loading-screen').waitFor({ state: 'hidden' });
      await page.getByRole('link', { name: 'Terms' }).waitFor();
      await page.goto('/ai');
      await page.locator('noscript p').waitFor();
    } finally {
      await context.close();
    }
  });

  // Every screen at rest is looked at in every-screen.long.test.ts.
  it('is accessible and fits a phone with a question and the menu open', async () => {
    const { page } = await suite.visit();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/');
    await page.getByRole('button', { name: 'Start with Premium' }).waitFor();
    await page.getByRole('button', { name: 'What is a credit?' }).click();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Features' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await settledViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Features' }).click();
    await page.getByRole('link', { name: 'Features' }).waitFor({ state: 'hidden' });
    await atTop(page, '#AiTools');
  });
});

/** Resolves once the client runs: the prerendered page is the same for signed-in users and others. */
const takenOver = (page: Page) =>
  page.getByRole('button', { name: 'Get Started', disabled: false }).waitFor();

const themeOf = (page: Page) => page.evaluate<string>('document.documentElement.dataset.theme');

/** Resolves once the section stands at the top of the window, below the bar, or the page is at its end. */
const atTop = (page: Page, section: string) =>
  until(`${section} is at the top`, () =>
    page.evaluate<boolean>(
      `(() => {
        const top = document.querySelector('${section}')?.getBoundingClientRect().top ?? Infinity;
        const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
        return Math.abs(top - 64) < 4 || (atEnd && top > 0 && top < innerHeight);
      })()`,
    ),
  );
