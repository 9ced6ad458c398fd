import { beforeAll, expect, it } from '@jest/globals';
import { describeWithBrowser } from '../support/available.ts';
import { screens, themes, tour } from './screens.ts';
import { useBrowserSuite } from './browser-suite.ts';
import { settledViolations } from './visitor.ts';
import { userWithWork, type UserWithWork } from './work.ts';

/** Every screen with content, on phone and desktop, in both themes. */
describeWithBrowser('every screen', () => {
  const suite = useBrowserSuite();
  let user: UserWithWork;

  beforeAll(async () => {
    user = await userWithWork(suite.browser, suite.product.address);
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
        async (page, { name }, { width, theme }, complaints) => {
          const violations = await settledViolations(page, { onlyColours: theme !== themes[0] });
          const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
          const found = [
            ...violations,
            ...(wider > 0 ? [`${wider} pixels wider than the window`] : []),
            ...complaints,
          ];
          if (found.length > 0) faults[`${name}, ${width}, ${theme}`] = found;
        },
      );
      expect(faults).toEqual({});
    },
  );
});
