import { beforeAll, expect, it } from '@jest/globals';
import { describeWithBrowser } from '../support/available.ts';
import { layoutFaults } from './layout-faults.ts';
import { layoutSizes, screens, sizes, themes, tour } from './screens.ts';
import { useBrowserSuite } from './browser-suite.ts';
import { settledViolations } from './visitor.ts';
import { longNames, userWithJobs, type UserWithJobs } from './user-with-jobs.ts';

/** Runs every tool, with the models of this machine. */
const ALL_TOOLS_MS = 600_000;

/** Every screen with content, on phone and desktop, in both themes. */
describeWithBrowser('every screen', () => {
  const suite = useBrowserSuite();
  let user: UserWithJobs;

  beforeAll(async () => {
    user = await userWithJobs(suite.browser, suite.product.address, longNames);
  }, ALL_TOOLS_MS);

  it.each([
    { of: 'a visitor', signedOut: true as const },
    { of: 'a user', signedOut: undefined },
  ])(
    'of $of is accessible in both themes, has no control out of reach at any width, and no complaint',
    async ({ signedOut }) => {
      const faults: Record<string, string[]> = {};
      const only = screens.filter((one) => one.signedOut === signedOut).map(({ name }) => name);
      await tour(
        suite.browser,
        suite.product.address,
        user,
        { only, at: layoutSizes },
        async (page, { name }, { width, theme }, pageErrors) => {
          const isMain = sizes.some((size) => size.width === width);
          const isFirst = theme === themes[0];
          const found = [
            ...(isMain ? await settledViolations(page, { onlyColours: !isFirst }) : []),
            ...(isFirst ? await layoutFaults(page) : []),
            ...pageErrors,
          ];
          if (found.length > 0) faults[`${name}, ${width}, ${theme}`] = found;
        },
      );
      expect(faults).toEqual({});
    },
  );
});
