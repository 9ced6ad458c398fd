import { beforeAll, expect, it } from '@jest/globals';
import { describeWithBrowser } from '../support/available.ts';
import { screens, themes, tour } from './screens.ts';
import { useBrowserSuite } from './browser-suite.ts';
import { settledViolations } from './visitor.ts';
import { userWithJobs, type UserWithJobs } from './user-with-jobs.ts';

/** Every screen with content, on phone and desktop, in both themes. */
describeWithBrowser('every screen', () => {
  const suite = useBrowserSuite();
  let user: UserWithJobs;

  beforeAll(async () => {
    user = await userWithJobs(suite.browser, suite.product.address);
  });

  it.each([
    { of: 'a visitor', signedOut: true as const },
    { of: 'a user', signedOut: undefined },
  ])(
    'of $of is accessible, no wider than the window, and without complaint on phone and desktop, in both themes',
    async ({ signedOut }) => {
      const faults: Record<string, string[]> = {};
      const only = screens.filter((one) => one.signedOut === signedOut).map(({ name }) => name);
      await tour(
        suite.browser,
        suite.product.address,
        user,
        { only },
        async (page, { name }, { width, theme }, pageErrors) => {
          const violations = await settledViolations(page, { onlyColours: theme !== themes[0] });
          const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
          const found = [
            ...violations,
            ...(wider > 0 ? [`${wider} pixels wider than the window`] : []),
            ...pageErrors,
          ];
          if (found.length > 0) faults[`${name}, ${width}, ${theme}`] = found;
        },
      );
      expect(faults).toEqual({});
    },
  );
});
