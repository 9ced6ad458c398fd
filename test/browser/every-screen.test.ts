import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeWithBrowser } from '../support/available.ts';
import { launchBrowser } from '../support/browser.ts';
import { startProduct, type Product } from './product.ts';
import { tour, variants } from './screens.ts';
import { settledViolations } from './visitor.ts';
import { personWithWork, type PersonWithWork } from './work.ts';

/** Every screen with something on it, on a phone and on a desk, in both themes. */
describeWithBrowser('every screen', () => {
  let product: Product;
  let browser: Browser;
  let person: PersonWithWork;

  beforeAll(async () => {
    product = await startProduct();
    browser = await launchBrowser();
    person = await personWithWork(browser, product.address);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it.each(variants)(
    'is accessible, no wider than the window, and without complaint at $width pixels, $theme',
    async (variant) => {
      const faults: Record<string, string[]> = {};
      await tour(
        browser,
        product.address,
        person,
        { variants: [variant] },
        async (page, { name }, _, complaints) => {
          const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
          const found = [
            ...(await settledViolations(page)),
            ...(wider > 0 ? [`${wider} pixels wider than the window`] : []),
            ...complaints,
          ];
          if (found.length > 0) faults[name] = found;
        },
      );
      expect(faults).toEqual({});
    },
    120_000,
  );
});
