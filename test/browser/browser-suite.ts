import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';
import { newAccount, type Account } from './account.ts';
import { startProduct, type Product } from './product.ts';
import { newVisitor, type VisitOptions, type Visitor } from './visitor.ts';

/** The product and a browser for one suite, and the users of a test. */
export interface BrowserSuite {
  readonly product: Product;
  readonly browser: Browser;
  /** Opens a browser profile of its own, for this test; the page is still empty. */
  visit(options?: VisitOptions): Promise<Visitor>;
  /** A new user, signed in; the page is still empty. */
  newUser(options?: VisitOptions & { name?: string }): Promise<Visitor & { account: Account }>;
  /** A new user, signed in, with a page open: the dashboard by default. */
  signedIn(
    options?: VisitOptions & { name?: string; path?: string },
  ): Promise<Visitor & { account: Account }>;
  /** Waits until the provider stops within a text, then lets all stopped texts continue. */
  goOn(): Promise<void>;
  /** Allows these errors of the browser in this test. */
  allowComplaints(pageErrors: RegExp): void;
}

export interface BrowserSuiteOptions {
  /** Variables of the product's environment, read when it starts. */
  settings?: () => NodeJS.ProcessEnv;
  /** The address at which browsers open the product, if not its own. */
  address?: () => string;
  /** Errors that the browser may log in every test of the suite. */
  allowedComplaints?: RegExp;
}

/**
 * Starts the product and a browser before the tests of a suite, and ends them after it. Each test ends with browsers
 * that had nothing to complain of: no error of a script, no line on the console, no breach of the content security policy.
 */
export function useBrowserSuite({
  settings,
  address,
  allowedComplaints,
}: BrowserSuiteOptions = {}): BrowserSuite {
  let product: Product;
  let browser: Browser;
  let visitors: Visitor[] = [];
  let allowed: RegExp[] = [];
  let users = 0;
  allowTimeForPrograms();

  beforeAll(async () => {
    product = await startProduct(settings?.());
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });
  afterEach(async () => {
    const pageErrors = visitors.flatMap((visitor) => visitor.pageErrors);
    const patterns = allowedComplaints ? [allowedComplaints, ...allowed] : allowed;
    for (const { context } of visitors) {
      await context.unrouteAll({ behavior: 'ignoreErrors' });
      await context.close();
    }
    [visitors, allowed] = [[], []];
    expect(pageErrors.filter((one) => !patterns.some((pattern) => pattern.test(one)))).toEqual([]);
  });

  const suite: BrowserSuite = {
    get product() {
      return product;
    },
    get browser() {
      return browser;
    },
    async visit(options) {
      const visitor = await newVisitor(browser, address?.() ?? product.address, options);
      visitors.push(visitor);
      return visitor;
    },
    async newUser({ name = `Ada Number ${(users += 1)}`, ...options } = {}) {
      const visitor = await suite.visit(options);
      return { ...visitor, account: await newAccount(visitor.context, product.address, name) };
    },
    async signedIn({ path = '/ai', ...options } = {}) {
      const user = await suite.newUser(options);
      await user.page.goto(path);
      return user;
    },
    async goOn() {
      await until('the provider to wait in the middle', () => product.provider.stopped > 0);
      product.provider.goOn();
    },
    allowComplaints: (pageErrors) => void allowed.push(pageErrors),
  };
  return suite;
}
