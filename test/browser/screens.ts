import type { Browser, Page } from 'playwright-core';
import type { ToolName } from '#libs/tools/catalogue.js';
import { openProfile, type Theme } from './visitor.ts';
import { LONG_WORD, type UserWithJobs } from './user-with-jobs.ts';

/** A screen in a state worth seeing. */
export interface Screen {
  name: string;
  /** Its address, which may depend on the user's creations. */
  path: (user: UserWithJobs) => string;
  /** Shown without a signed-in user. */
  signedOut?: true;
  /** Resolves once the screen is in its state. */
  ready: (page: Page, user: UserWithJobs) => Promise<unknown>;
}

export interface Size {
  width: number;
  height: number;
}

/** Phone and desktop. */
export const sizes: [Size, Size] = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
/** A phone, a tablet, a laptop and a large screen. */
export const layoutSizes: Size[] = [
  sizes[0],
  { width: 768, height: 1024 },
  sizes[1],
  { width: 1920, height: 1080 },
];
export const themes = ['dark', 'light'] as const satisfies Theme[];

type Variant = Size & { theme: Theme };

/** Each size in each theme. */
export const variants: Variant[] = sizes.flatMap((size) => themes.map((theme) => ({ ...size, theme })));

const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole('heading', { name }).first().waitFor();

/** A tool's page with the result of an earlier job. @param segment the last part of its address */
const toolScreen = (segment: string, tool: ToolName, name = segment): Screen => ({
  name,
  path: ({ jobs }) => `/ai/${segment}?job=${jobs[tool]}`,
  ready: (page) =>
    page
      .getByRole('region', { name: 'Result' })
      .getByRole('button', { name: /Copy|Download/ })
      .first()
      .waitFor(),
});

/** A tool's page with its form filled in: a file is chosen. @param extension of the file */
const withFile = (screen: Screen, extension: 'pdf' | 'png'): Screen => ({
  ...screen,
  ready: async (page, user) => {
    await screen.ready(page, user);
    await page.getByRole('main').locator('input[type=file]').first().setInputFiles(user.files[extension]);
    await page.getByRole('button', { name: /^Remove (image|.*pdf)$/ }).waitFor();
  },
});

/** Every screen of the product, once. */
export const screens: Screen[] = [
  {
    name: 'landing',
    path: () => '/',
    signedOut: true,
    // Rendered last; the rest is prerendered.
    ready: (page) => page.getByRole('button', { name: 'Start with Premium' }).waitFor(),
  },
  {
    name: 'sign-in',
    path: () => '/ai',
    signedOut: true,
    ready: (page) => page.getByLabel('Email').waitFor(),
  },
  {
    name: 'dashboard',
    path: () => '/ai',
    ready: (page) => page.getByText('A fox in the snow').first().waitFor({ state: 'attached' }),
  },
  {
    name: 'community',
    path: () => '/ai/community',
    ready: (page) => page.getByText('A fox in the snow').first().waitFor({ state: 'attached' }),
  },
  toolScreen('write-article', 'generate-article'),
  toolScreen('blog-titles', 'generate-blog-title'),
  toolScreen('humanize-text', 'humanize-text'),
  toolScreen('rewrite-text', 'rewrite-text'),
  withFile(toolScreen('review-resume', 'resume-review'), 'pdf'),
  withFile(toolScreen('calculate-ats-score', 'calculate-ats-score', 'ats-score'), 'pdf'),
  withFile(toolScreen('tailored-bullets', 'tailored-bullets'), 'pdf'),
  withFile(toolScreen('cover-letter', 'cover-letter'), 'pdf'),
  toolScreen('generate-images', 'generate-image'),
  withFile(toolScreen('remove-background', 'remove-image-background'), 'png'),
  {
    name: 'creation',
    path: ({ cutOut }) => `/ai/creations/${cutOut}`,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Versions (2)' }).click();
      await page.getByRole('list', { name: 'Versions' }).waitFor();
    },
  },
  {
    name: 'batches',
    path: () => '/ai/batches',
    ready: (page) => page.getByRole('link', { name: '2 pictures' }).waitFor(),
  },
  {
    name: 'batch',
    path: ({ batch }) => `/ai/batches/${batch}`,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Choose the file again' }).waitFor();
      await page.getByRole('button', { name: 'Background and size' }).waitFor();
    },
  },
  {
    name: 'batch-picture',
    path: ({ batch }) => `/ai/batches/${batch}?picture=1`,
    ready: (page) => page.getByRole('dialog').getByRole('button', { name: 'Edit cut-out' }).waitFor(),
  },
  {
    name: 'flows',
    path: () => '/ai/flows',
    ready: (page) =>
      page
        .getByRole('main')
        .getByRole('link', { name: /steps done/ })
        .waitFor(),
  },
  {
    name: 'flow',
    path: ({ flow }) => `/ai/flows/${flow}`,
    ready: (page) => page.getByRole('img', { name: /./ }).first().waitFor(),
  },
  withFile(toolScreen('remove-object', 'remove-image-object'), 'png'),
  {
    name: 'chat-with-pdf',
    path: ({ report }) => `/ai/chat-with-pdf?file=${encodeURIComponent(report)}`,
    ready: (page) => page.getByText('How many ships came in 2024?').first().waitFor(),
  },
  {
    name: 'notebooks',
    path: () => '/ai/notebooks',
    ready: (page) => page.getByRole('list', { name: 'Your notebooks' }).waitFor(),
  },
  {
    name: 'notebook',
    path: ({ notebook }) => `/ai/notebooks/${notebook}`,
    ready: (page) => page.getByRole('button', { name: 'Keep as note' }).waitFor({ state: 'attached' }),
  },
  {
    name: 'public-image',
    path: ({ publicPage }) => publicPage,
    signedOut: true,
    ready: (page) => page.getByRole('img').first().waitFor(),
  },
  {
    name: 'usage',
    path: () => '/ai/usage',
    ready: (page) => page.getByRole('heading', { name: 'Receipts' }).waitFor(),
  },
  {
    name: 'api-keys',
    path: () => '/ai/keys',
    ready: (page) => page.getByText(/0 of 100 jobs/).waitFor(),
  },
  {
    name: 'new-api-key',
    path: () => '/ai/keys',
    ready: async (page) => {
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill(LONG_WORD);
    },
  },
  {
    name: 'webhooks',
    path: () => '/ai/webhooks',
    ready: (page) => page.getByText('job.succeeded, batch.finished').waitFor(),
  },
  {
    name: 'new-webhook',
    path: () => '/ai/webhooks',
    ready: async (page) => {
      await page.getByRole('button', { name: 'New webhook' }).click();
      await page.getByRole('dialog').getByLabel('Address').fill(`https://example.com/${LONG_WORD}`);
    },
  },
  {
    name: 'webhook',
    path: ({ webhook }) => `/ai/webhooks/${webhook}`,
    ready: async (page) => {
      await page.getByRole('button', { name: /webhook.test/, expanded: false }).click();
      await page.getByText(/^Request 1,/).waitFor();
    },
  },
  { name: 'not-found', path: () => '/no-such-page', signedOut: true, ready: heading(/./) },
];

/** Switches the theme of an open page, as another tab does. */
export const switchTheme = (page: Page, theme: Theme): Promise<void> =>
  page.evaluate(
    `dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue: ${JSON.stringify(theme)} }))`,
  );

interface Tour {
  /** Names of screens; all by default. */
  only?: string[];
  /** Phone and desktop by default. */
  at?: Size[];
}

/**
 * Loads each screen at the size of a phone, and shows it at each size in both themes.
 * @param visit gets each page once it is ready, with the browser's errors since the last one
 */
export async function tour(
  browser: Browser,
  address: string,
  user: UserWithJobs,
  { only, at = sizes }: Tour,
  visit: (page: Page, screen: Screen, variant: Variant, pageErrors: string[]) => Promise<void>,
): Promise<void> {
  const wanted = screens.filter(({ name }) => only?.includes(name) ?? true);
  for (const signedOut of [true, undefined]) {
    const chosen = wanted.filter((one) => one.signedOut === signedOut);
    if (chosen.length === 0) continue;
    const { context, pageErrors } = await openProfile(browser, {
      baseURL: address,
      storageState: signedOut ? undefined : user.session,
      reducedMotion: 'reduce',
    });
    // One page for all: a page of its own for each screen would start a process for each.
    const page = await context.newPage();
    for (const screen of chosen) {
      await page.setViewportSize(sizes[0]);
      await page.goto(screen.path(user));
      await screen.ready(page, user).catch((error: unknown) => {
        throw new Error(`The screen ${screen.name} did not come. ${pageErrors.join(' ')}`, {
          cause: error,
        });
      });
      for (const size of at) {
        await page.setViewportSize(size);
        await page.evaluate(drawnAnew);
        for (const theme of themes) {
          await switchTheme(page, theme);
          await visit(page, screen, { ...size, theme }, pageErrors.splice(0));
        }
      }
    }
    await context.close();
  }
}

/** Scripts that follow the window's width draw a frame later. */
const drawnAnew = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))';
