import type { Browser, Page } from 'playwright-core';
import { openProfile, setTheme, type Theme, type Visitor } from './visitor.ts';
import type { UserWithWork } from './work.ts';

/** A screen in a state worth seeing. */
export interface Screen {
  name: string;
  /** Where it is; may differ with what the user has made. */
  path: (user: UserWithWork) => string;
  /** Who sees it: somebody signed in unless told otherwise. */
  signedOut?: true;
  /** Brings the screen into its state, and resolves once it is there. */
  ready: (page: Page) => Promise<unknown>;
}

/** A phone and a desk, in both themes. */
export const variants = [
  { width: 390, height: 844, theme: 'dark' },
  { width: 390, height: 844, theme: 'light' },
  { width: 1440, height: 900, theme: 'dark' },
  { width: 1440, height: 900, theme: 'light' },
] as const satisfies { width: number; height: number; theme: Theme }[];
export type Variant = (typeof variants)[number];

const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole('heading', { name }).first().waitFor();

/** A tool's page with a job of the past opened in its proof. */
const made = (name: string, segment: string, tool: string): Screen => ({
  name,
  path: ({ jobs }) => `/ai/${segment}?job=${jobs[tool]}`,
  ready: (page) =>
    page
      .getByRole('region', { name: 'Result' })
      .getByRole('button', { name: /Copy|Download/ })
      .first()
      .waitFor(),
});

/** Every screen of the product, once. */
export const screens: Screen[] = [
  {
    name: 'landing',
    path: () => '/',
    signedOut: true,
    // The last that comes; the rest is drawn beforehand.
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
  made('write-article', 'write-article', 'generate-article'),
  made('blog-titles', 'blog-titles', 'generate-blog-title'),
  made('humanize-text', 'humanize-text', 'humanize-text'),
  made('review-resume', 'review-resume', 'resume-review'),
  made('ats-score', 'calculate-ats-score', 'calculate-ats-score'),
  made('generate-images', 'generate-images', 'generate-image'),
  made('remove-background', 'remove-background', 'remove-image-background'),
  made('remove-object', 'remove-object', 'remove-image-object'),
  {
    name: 'chat-with-pdf',
    path: () => '/ai/chat-with-pdf?file=harbour-report.pdf',
    ready: (page) => page.getByText('How many ships came in 2024?').first().waitFor(),
  },
  {
    name: 'public-image',
    path: ({ publicPage }) => publicPage,
    signedOut: true,
    ready: (page) => page.getByRole('img').first().waitFor(),
  },
  { name: 'not-found', path: () => '/no-such-page', signedOut: true, ready: heading(/./) },
];

/** A browser profile of this size and theme, in which the user is signed in if one is given. */
const openVariant = async (
  browser: Browser,
  address: string,
  { width, height, theme }: Variant,
  user?: UserWithWork,
): Promise<Omit<Visitor, 'page'>> => {
  const profile = await openProfile(browser, {
    baseURL: address,
    viewport: { width, height },
    storageState: user?.session,
    reducedMotion: 'reduce',
  });
  await setTheme(profile.context, theme);
  return profile;
};

interface Tour {
  variants?: readonly Variant[];
  /** Names of screens; all unless told otherwise. */
  only?: string[];
}

/**
 * Goes through the screens in each variant, one page at a time.
 * @param visit sees each page once it is ready, with what the browser complained of on it
 */
export async function tour(
  browser: Browser,
  address: string,
  user: UserWithWork,
  { variants: chosen = variants, only }: Tour,
  visit: (page: Page, screen: Screen, variant: Variant, complaints: string[]) => Promise<void>,
): Promise<void> {
  const wanted = screens.filter(({ name }) => only?.includes(name) ?? true);
  for (const variant of chosen) {
    const stranger = await openVariant(browser, address, variant);
    const signedIn = await openVariant(browser, address, variant, user);
    for (const screen of wanted) {
      const { context, complaints } = screen.signedOut ? stranger : signedIn;
      const page = await context.newPage();
      await page.goto(screen.path(user));
      await screen.ready(page).catch((error: unknown) => {
        throw new Error(`The screen ${screen.name} did not come. ${complaints.join(' ')}`, { cause: error });
      });
      await visit(page, screen, variant, complaints.splice(0));
      await page.close();
    }
    await stranger.context.close();
    await signedIn.context.close();
  }
}
