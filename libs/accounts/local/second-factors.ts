import { createHmac, randomInt } from 'node:crypto';
import { passkey } from '@better-auth/passkey';
import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware, isAPIError } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type pg from 'pg';
import { ownOrigins } from '#libs/config/own-origins.js';
import { FORGET_TRUSTED_BROWSERS } from '../second-factor.js';
import { networkOf, sessionOf, type HookContext } from './hook-context.js';
import { KnownDevices } from './known-devices.js';
import type { AuthSecrets } from './secrets.js';
import { checkName } from './profile-fields.js';
import type { RateLimitStorage } from './rate-limit-storage.js';

const TRUSTED_DAYS = 30;

/** Accepts a code once in 120 seconds. Codes are valid for at most 90: their own 30 seconds and the 30 before and after. */
const USED_CODE_RULE = { window: 120, max: 1 };

/** Wrong codes of an authenticator app, from each known device and from all other devices together. */
const WRONG_CODES_RULE = { window: 900, max: 10 };

/** Letters and digits without those that look most alike in print: 0 and o, 1, i and l. */
const RECOVERY_CODE_CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

const createRecoveryCodes = () => Array.from({ length: 10 }, createRecoveryCode);

function createRecoveryCode(): string {
  const characters = Array.from(
    { length: 12 },
    () => RECOVERY_CODE_CHARACTERS[randomInt(RECOVERY_CODE_CHARACTERS.length)],
  );
  return characters.join('').replace(/.{4}(?=.)/g, '$&-');
}

const PASSKEY_NAME_MAX_CHARACTERS = 60;

/** better-auth's plugins for passkeys, and for authenticator apps with recovery codes. */
export function secondFactorPlugins(publicUrl: string) {
  return [
    twoFactor({
      issuer: 'Pressroom',
      twoFactorTable: 'auth_two_factors',
      trustDeviceMaxAge: TRUSTED_DAYS * 86_400,
      backupCodeOptions: { customBackupCodesGenerate: createRecoveryCodes },
      // Guesses are limited by `secondFactorRules`: this lock would also refuse recovery codes and known devices.
      accountLockout: { enabled: false },
    }),
    passkey({
      rpID: new URL(publicUrl).hostname,
      rpName: 'Pressroom',
      origin: ownOrigins(publicUrl),
      // A passkey replaces both password and second factor, so the device must verify the user by fingerprint, face or PIN.
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      registration: {
        afterVerification: async ({ verification }) => {
          requireUserVerification(verification.registrationInfo?.userVerified);
        },
      },
      authentication: {
        afterVerification: async ({ verification }) => {
          requireUserVerification(verification.authenticationInfo.userVerified);
        },
      },
      schema: { passkey: { modelName: 'auth_passkeys' } },
    }),
  ];
}

function requireUserVerification(isVerified: boolean | undefined): void {
  if (!isVerified) throw new APIError('UNAUTHORIZED', { code: 'PASSKEY_WITHOUT_VERIFICATION' });
}

const ENDS_BROWSER_TRUST = [
  '/two-factor/disable',
  '/change-password',
  '/revoke-other-sessions',
  '/revoke-sessions',
];
const REMOVES_FACTOR = ['/two-factor/disable', '/passkey/delete-passkey'];

interface Options {
  pool: pg.Pool;
  secrets: AuthSecrets;
  limits: RateLimitStorage;
  /** Called when somebody who knows the password has entered too many wrong codes. */
  onGuessed: (user: CodeOwner, network: string) => Promise<void>;
}

interface CodeOwner {
  id: string;
  name: string;
  email: string;
}

/** Who enters a code. */
interface CodeUser {
  userId: string;
  /** False during a sign-in. */
  isSignedIn: boolean;
}

interface CodeGuess extends CodeUser {
  owner: CodeOwner;
  /** The limit that the request counts towards. */
  key: string;
  count: number;
}

/**
 * Plugin with more rules: a code works once, setting up the first authenticator app ends all other sessions, and wrong codes
 * are limited. Recovery codes are too long to be guessed, so they have no limit for the account.
 */
export function secondFactorRules({ pool, secrets, limits, onGuessed }: Options) {
  const { current: secret } = secrets;
  const devices = new KnownDevices(secrets);
  const guesses = new WeakMap<Request, CodeGuess>();

  /** Requests that complete the setup of an authenticator app with its first code. */
  const enabling = new WeakSet<Request>();

  async function useCodeOnce(context: HookContext): Promise<void> {
    const { code } = context.body as { code?: unknown };
    const user = await userOf(context);
    if (typeof code !== 'string' || user === undefined) return;
    const { userId } = user;
    await countGuess(context, user);
    const key = createHmac('sha256', secret).update(`${userId}/${code}`).digest('base64url');
    if ((await limits.consume(`code/${key}`, USED_CODE_RULE)).allowed) return;
    await reportGuesses(context);
    throw new APIError('UNAUTHORIZED', { code: 'CODE_USED' });
  }

  /** @throws APIError ACCOUNT_TEMPORARILY_LOCKED */
  async function countGuess(context: HookContext, { userId, isSignedIn }: CodeUser): Promise<void> {
    const { rows } = await pool.query<CodeOwner>(`SELECT id, name, email FROM auth_users WHERE id = $1`, [
      userId,
    ]);
    const [owner] = rows;
    if (!owner || !context.request) return;
    const device = await devices.find(context, owner.email);
    const key = `totp/${userId}/${device.isKnown ? device.id : ''}`;
    const { allowed, count } = await limits.consume(key, WRONG_CODES_RULE);
    if (!allowed) throw new APIError('TOO_MANY_REQUESTS', { code: 'ACCOUNT_TEMPORARILY_LOCKED' });
    guesses.set(context.request, { userId, isSignedIn, owner, key, count });
  }

  /** A right code does not count as a guess, and forgets the wrong ones before it. */
  async function endGuess(context: HookContext): Promise<void> {
    if (isAPIError(context.context.returned)) return reportGuesses(context);
    const guess = context.request && guesses.get(context.request);
    if (guess) await limits.forget(guess.key);
  }

  async function reportGuesses(context: HookContext): Promise<void> {
    const guess = context.request && guesses.get(context.request);
    if (guess?.count === WRONG_CODES_RULE.max && !guess.isSignedIn)
      await onGuessed(guess.owner, networkOf(context));
  }

  /** Finds the user of the session, or of the sign-in that waits for a code. */
  async function userOf(context: HookContext): Promise<CodeUser | undefined> {
    const session = await sessionOf(context);
    if (session) {
      if (!session.user.twoFactorEnabled && context.request) enabling.add(context.request);
      return { userId: session.user.id, isSignedIn: true };
    }
    const { name } = context.context.createAuthCookie('two_factor');
    const challenge = await context.getSignedCookie(name, secret);
    if (!challenge) return undefined;
    const found = await context.context.internalAdapter.findVerificationValue(challenge);
    return found ? { userId: found.value, isSignedIn: false } : undefined;
  }

  async function endOtherSessions({ context: { newSession, internalAdapter } }: HookContext): Promise<void> {
    if (!newSession) return;
    for (const { token } of await internalAdapter.listSessions(newSession.user.id))
      if (token !== newSession.session.token) await internalAdapter.deleteSession(token);
  }

  return {
    id: 'second-factor-rules',
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === '/two-factor/verify-totp',
          handler: createAuthMiddleware(useCodeOnce),
        },
        {
          matcher: ({ path }) =>
            path === '/passkey/verify-registration' || path === '/passkey/update-passkey',
          handler: createAuthMiddleware(async ({ body }) => {
            const { name } = body as { name?: unknown };
            if (name === undefined) return;
            try {
              checkName(name, PASSKEY_NAME_MAX_CHARACTERS);
            } catch {
              throw new APIError('BAD_REQUEST', { code: 'INVALID_PASSKEY_NAME' });
            }
          }),
        },
      ],
      after: [
        {
          matcher: ({ path }) => path === '/two-factor/verify-backup-code',
          handler: createAuthMiddleware(async ({ context: { returned } }) => {
            // better-auth's error without a code: another request used one of the codes at the same moment.
            if (isAPIError(returned) && returned.status === 'CONFLICT')
              throw new APIError('CONFLICT', { code: 'BACKUP_CODE_CONFLICT' });
          }),
        },
        {
          matcher: ({ path = '' }) =>
            path === '/two-factor/verify-totp' ||
            ENDS_BROWSER_TRUST.includes(path) ||
            REMOVES_FACTOR.includes(path),
          handler: createAuthMiddleware(async (context) => {
            const { path, request } = context;
            const { returned, newSession, session } = context.context;
            if (path === '/two-factor/verify-totp') await endGuess(context);
            const userId = (newSession ?? session)?.user.id;
            if (isAPIError(returned) || userId === undefined) return;
            if (request && enabling.has(request)) await endOtherSessions(context);
            if (ENDS_BROWSER_TRUST.includes(path)) await pool.query(FORGET_TRUSTED_BROWSERS, [userId]);
            if (path === '/passkey/delete-passkey') await pool.query(FORGET_PASSKEY_SIGN_INS, [userId]);
            // Ends sessions of the operator's queue board, which may have been opened with the removed factor.
            if (REMOVES_FACTOR.includes(path))
              await pool.query(`DELETE FROM admin_sessions WHERE user_id = $1`, [userId]);
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

/** If the user has no passkey left, sessions that a passkey started no longer count as having a second factor. */
const FORGET_PASSKEY_SIGN_INS = `UPDATE auth_sessions SET "method" = NULL
  WHERE "userId" = $1 AND NOT EXISTS (SELECT FROM auth_passkeys WHERE "userId" = $1)`;
