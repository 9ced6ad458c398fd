import { expect, it } from '@jest/globals';
import type { HookContext } from './hook-context.js';
import { KnownDevices } from './known-devices.js';

const SECRETS = { current: 'the first secret', previous: null };
const ADA = 'ada@example.com';

/** A browser with a cookie, whose signature is not looked at. */
function browser() {
  let cookie: string | null = null;
  return {
    context: { createAuthCookie: (name: string) => ({ name, attributes: {} }) },
    getSignedCookie: async () => cookie,
    setSignedCookie: async (_: string, value: string) => (cookie = value),
  } as unknown as HookContext;
}

it('knows a browser while the previous secret is known', async () => {
  const context = browser();
  await new KnownDevices(SECRETS).remember(context, ADA);
  const isKnownTo = async (secrets: { current: string; previous: string | null }, email = ADA) =>
    (await new KnownDevices(secrets).find(context, email)).isKnown;
  expect(await isKnownTo(SECRETS)).toBe(true);
  expect(await isKnownTo({ current: 'the next secret', previous: SECRETS.current })).toBe(true);
  expect(await isKnownTo({ current: 'the next secret', previous: null })).toBe(false);
  expect(await isKnownTo(SECRETS, 'bob@example.com')).toBe(false);
});
