import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeWithBrowser } from '../support/available.ts';
import { ClerkFrontend } from '../support/clerk-frontend.ts';
import { clerkScripts } from '../support/clerk-scripts.ts';
import { ClerkService } from '../support/clerk-service.ts';
import { useBrowserSuite, type BrowserSuite } from './browser-suite.ts';

const scripts = clerkScripts();
if (scripts === null)
  console.warn('Clerk’s scripts cannot be fetched by npm: its suite in a browser is skipped.');

/** `describe` for suites with Clerk in a browser: skipped where npm cannot fetch Clerk's scripts, except in CI. */
export const describeWithClerk = scripts === null ? describe.skip : describeWithBrowser;

/** A suite with the product on Clerk, whose servers are fakes. */
export interface ClerkSuite {
  readonly suite: BrowserSuite;
  readonly service: ClerkService;
  readonly frontend: ClerkFrontend;
}

interface ClerkSuiteOptions {
  /** Variables that connect the product to Clerk. */
  settings: (frontend: ClerkFrontend, service: ClerkService) => NodeJS.ProcessEnv;
  /** Errors that the browser may log in every test of the suite. */
  allowedComplaints?: RegExp;
}

/** Starts the fakes of Clerk, and the product with them. A test fails when the fake received an unknown call. */
export function useClerkSuite({ settings, allowedComplaints }: ClerkSuiteOptions): ClerkSuite {
  let service: ClerkService;
  let frontend: ClerkFrontend;
  beforeAll(async () => {
    service = await ClerkService.start();
    frontend = await ClerkFrontend.start(service, scripts ?? '');
  });
  const suite = useBrowserSuite({
    settings: () => settings(frontend, service),
    address: () => frontend.address,
    allowedComplaints,
  });
  beforeAll(() => frontend.passTo(suite.product.address));
  afterAll(async () => {
    await frontend?.stop();
    await service?.stop();
  });
  afterEach(() => expect(frontend.unknown).toEqual([]));
  return {
    suite,
    get service() {
      return service;
    },
    get frontend() {
      return frontend;
    },
  };
}

/** Signs in by Clerk's own dialog, as far as the password. */
export async function enterClerk(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByRole('textbox', { name: 'Email address' }).fill(email);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByRole('heading', { name: 'Enter your password' }).waitFor();
  await page.locator('input[name=password]').fill(password);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
}
