import { beforeAll, expect, it } from '@jest/globals';
import { describeWithBrowser } from '../support/available.ts';
import { sizes, themes, tour } from './screens.ts';
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

  it.each(sizes)(
    'is accessible, no wider than the window, and without complaint at $width pixels, in both themes',
    async (size) => {
      const faults: Record<string, string[]> = {};
      await tour(
        suite.browser,
        suite.product.address,
        user,
        { sizes: [size] },
        async (page, { name }, { theme }, complaints) => {
          const violations = await settledViolations(page, { onlyColours: theme !== themes[0] });
          const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
          const found = [
            ...violations,
            ...(wider > 0 ? [`${wider} pixels wider than the window`] : []),
            ...complaints,
          ];
          if (found.length > 0) faults[`${name}, ${theme}`] = found;
        },
      );
      expect(faults).toEqual({});
    },
  );
});
