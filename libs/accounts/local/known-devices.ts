import { createHmac, randomBytes } from 'node:crypto';
import type { HookContext } from './hook-context.js';
import type { AuthSecrets } from './secrets.js';

/** Cookie with the accounts that signed in with this browser. */
const COOKIE = 'device';
const COOKIE_SECONDS = 365 * 86_400;
const MAX_ACCOUNTS = 5;

export interface Device {
  id: string;
  /** True if the account has signed in with it. */
  isKnown: boolean;
}

/**
 * Remembers which accounts signed in with a browser, so that guesses of strangers do not lock their owners out. The cookie
 * holds hashes of the accounts.
 */
export class KnownDevices {
  constructor(private readonly secrets: AuthSecrets) {}

  accountOf(email: string, secret = this.secrets.current): string {
    const text = `account/${email.toLowerCase()}`;
    return createHmac('sha256', secret).update(text).digest('base64url').slice(0, 22);
  }

  async find(context: HookContext, email: string): Promise<Device> {
    const { id, accounts } = await this.read(context);
    const { current, previous } = this.secrets;
    const hashes = [current, previous].flatMap((secret) =>
      secret === null ? [] : [this.accountOf(email, secret)],
    );
    return { id, isKnown: hashes.some((hash) => accounts.includes(hash)) };
  }

  async remember(context: HookContext, email: string): Promise<void> {
    const { id, accounts } = await this.read(context);
    const latest = [...new Set([this.accountOf(email), ...accounts])].slice(0, MAX_ACCOUNTS);
    const { name, attributes } = context.context.createAuthCookie(COOKIE, { maxAge: COOKIE_SECONDS });
    await context.setSignedCookie(name, [id, ...latest].join('.'), this.secrets.current, attributes);
  }

  private async read(context: HookContext): Promise<{ id: string; accounts: string[] }> {
    const { name } = context.context.createAuthCookie(COOKIE);
    const value = (await context.getSignedCookie(name, this.secrets.current)) || '';
    const [id = '', ...accounts] = value.split('.');
    return { id: id || randomBytes(16).toString('base64url'), accounts };
  }
}
