import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeWithBrowser } from '../support/available.ts';
import { ClerkFrontend } from '../support/clerk-frontend.ts';
import { clerkScripts } from '../support/clerk-scripts.ts';
import { ClerkService } from '../support/clerk-service.ts';
import { useStage, type Stage } from './stage.ts';

const scripts = clerkScripts();
if (scripts === null)
  console.warn('Clerk’s scripts cannot be fetched by npm: its suite in a browser is skipped.');

/** `describe` for suites with Clerk in a browser: skipped where npm cannot fetch Clerk's scripts, except in CI. */
export const describeWithClerk = scripts === null ? describe.skip : describeWithBrowser;

/** A stage with the product on Clerk, whose servers are ours. */
export interface ClerkStage {
  readonly stage: Stage;
  readonly service: ClerkService;
  readonly frontend: ClerkFrontend;
}

interface ClerkStageOptions {
  /** Variables that connect the product to Clerk. */
  settings: (frontend: ClerkFrontend, service: ClerkService) => NodeJS.ProcessEnv;
  /** What the browser may say in every test of the suite. */
  forgives?: RegExp;
}

/** Starts Clerk's stand-ins and the product on them. Each test ends with no call that the stand-in did not know. */
export function useClerkStage({ settings, forgives }: ClerkStageOptions): ClerkStage {
  let service: ClerkService;
  let frontend: ClerkFrontend;
  beforeAll(async () => {
    service = await ClerkService.start();
    frontend = await ClerkFrontend.start(service, scripts ?? '');
  });
  const stage = useStage({
    settings: () => settings(frontend, service),
    address: () => frontend.address,
    forgives,
  });
  beforeAll(() => frontend.passTo(stage.product.address));
  afterAll(async () => {
    await frontend?.stop();
    await service?.stop();
  });
  afterEach(() => expect(frontend.unknown).toEqual([]));
  return {
    stage,
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
