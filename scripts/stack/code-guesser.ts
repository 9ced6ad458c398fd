import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '../../test/support/authenticator-app.ts';

const PASSWORD = 'vivid lantern over quiet harbour';
/** More wrong codes than are accepted from unknown devices. */
const GUESSES = 12;
/** Guesses after which a stranger enters the password again. */
const GUESSES_PER_PASSWORD = 4;
const TRIES = 40;
const TRY_AGAIN_MS = 500;
const CALL_WITHIN_MS = 20_000;

/** The product, as browsers reach it. */
export interface Product {
  /** The addresses of the apis. */
  origins: string[];
  publicUrl: string;
}

interface Answer {
  /** Null without an answer. */
  status: number | null;
  body: { code?: string; totpURI?: string; backupCodes?: string[] };
}

/**
 * An owner sets up an authenticator app, a stranger who knows the password guesses codes until no more are accepted, and the
 * owner signs in with a recovery code.
 * @returns violations as sentences; none if an outage prevented the set-up
 */
export async function guessCodes(world: Product, name: string, api: number): Promise<string[]> {
  const owner = await signUp(world, name, api);
  const backupCodes = owner && (await setUpApp(owner.browser, api));
  if (!backupCodes) return [];
  const stranger = new Browser(world);
  for (let i = 0; i < GUESSES; i += 1) {
    if (i % GUESSES_PER_PASSWORD === 0) await signIn(stranger, owner.email, api + i);
    await stranger.call('/two-factor/verify-totp', { code: String(i).padStart(6, '0') }, api + i);
  }
  return recover(world, owner.email, backupCodes);
}

export async function signUp(world: Product, name: string, api: number) {
  for (let i = 0; i < TRIES; i += 1) {
    const browser = new Browser(world);
    const email = `${name}-${i}@example.com`;
    const { status } = await browser.call('/sign-up/email', { email, password: PASSWORD, name }, api + i);
    if (status === 200) return { browser, email };
    await pause(TRY_AGAIN_MS);
  }
  return null;
}

export async function setUpApp(browser: Browser, api: number): Promise<string[] | null> {
  const { body } = await browser.call('/two-factor/enable', { password: PASSWORD }, api);
  const secret = body.totpURI && new URL(body.totpURI).searchParams.get('secret');
  if (!secret || !body.backupCodes) return null;
  // Refused where the clock of the api was moved.
  const { status } = await browser.call('/two-factor/verify-totp', { code: codeOf(secret) }, api);
  return status === 200 ? body.backupCodes : null;
}

export const signIn = (browser: Browser, email: string, api: number) =>
  browser.call('/sign-in/email', { email, password: PASSWORD }, api);

/** Uses another code in each try: one without an answer may be used up. */
async function recover(world: Product, email: string, backupCodes: string[]): Promise<string[]> {
  const codes = [...backupCodes];
  for (let i = 0; i < TRIES && codes.length > 0; i += 1) {
    const browser = new Browser(world);
    if ((await signIn(browser, email, i)).status === 200) {
      const { status, body } = await browser.call('/two-factor/verify-backup-code', { code: codes.pop() }, i);
      if (status === 200) return [];
      if (status !== null && status !== 503)
        return [
          `the recovery code of ${email} was refused with ${status} ${body.code} after guesses of a stranger`,
        ];
    }
    await pause(TRY_AGAIN_MS);
  }
  return [`${email} could not sign in with a recovery code`];
}

/** A browser that keeps cookies. */
export class Browser {
  private readonly world: Product;
  private readonly cookies = new Map<string, string>();

  constructor(world: Product) {
    this.world = world;
  }

  async call(path: string, json: object, api: number): Promise<Answer> {
    const { origins, publicUrl } = this.world;
    try {
      const answer = await fetch(`${origins[api % origins.length]}/api/auth${path}`, {
        method: 'POST',
        headers: {
          Origin: publicUrl,
          'Content-Type': 'application/json',
          Cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        },
        body: JSON.stringify(json),
        signal: AbortSignal.timeout(CALL_WITHIN_MS),
      });
      for (const set of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        this.cookies.set(name, value);
      }
      return { status: answer.status, body: (await answer.json()) as Answer['body'] };
    } catch {
      return { status: null, body: {} };
    }
  }
}
