import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth';
import { APIError } from 'better-auth/api';
import { bearer } from 'better-auth/plugins/bearer';
import { jwt } from 'better-auth/plugins/jwt';
import type pg from 'pg';
import { ownOrigins } from '#libs/config/own-origins.js';
import { PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS } from '#libs/contract/account.js';
import type { Mailer } from '#libs/mail/mailer.js';
import { RECORD_GUESSED_CODES } from '../guessed-codes.js';
import { FORGET_TRUSTED_BROWSERS } from '../second-factor.js';
import { appAuthorization, APP_PATHS_OFF, CONNECT_PAGE } from './app-authorization.js';
import { LINK_LIFETIME, mailOptions, type MailLimit } from './mail-options.js';
import { deleteResetLinks, refuseOutdatedLinks } from './outdated-links.js';
import { passwordHashing } from './password-hashing.js';
import { passwordProtection } from './password-protection.js';
import { checkImage, checkName } from './profile-fields.js';
import { PAYMENT_PATHS_OFF } from './payment.js';
import { rateLimitStorage, type RateLimitStorage } from './rate-limit-storage.js';
import { secretOptions } from './secrets.js';
import { secondFactorPlugins, secondFactorRules } from './second-factors.js';
import { endRedundantSessions, sessionHooks, sessionIds, sessionOptions } from './sessions.js';

/** Lifetime of an API token. Browsers get new tokens while their session, which lasts for days, is valid. */
export const TOKEN_MINUTES = 5;
const KEY_DAYS = 90;

/** Header that passes the client's IP address from our HTTP layer to better-auth. */
export const CLIENT_ADDRESS_HEADER = 'x-pressroom-client-address';

export interface AccountsLogger {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface LocalAccountsOptions {
  pool: pg.Pool;
  /** At least 32 characters. Signs session cookies and encrypts the signing keys in the database. */
  secret: string;
  /** The secret before a rotation, which is still accepted. */
  previousSecret?: string | null;
  /** The origin of the product: issuer and authorized party (`azp`) of every token. */
  publicUrl: string;
  rateLimits: { signIn: number; signUp: number };
  /** True if apps may register themselves as OAuth clients. */
  isRegistrationOpen?: boolean;
  logger: AccountsLogger;
  /** Null if no mail can be sent. */
  mailer?: Mailer | null;
  onChange?: (userId: string) => Promise<void>;
  /** `isRevoked`: true if another session or a new password ended the session; false for a sign-out. */
  onSessionEnded?: (session: { id: string; userId: string }, isRevoked: boolean) => void;
  deleteAccount?: (userId: string) => Promise<void>;
  /** Plugins for payment; none without payment. */
  paymentPlugins?: BetterAuthPlugin[];
}

/** better-auth's options. API tokens have the same claims as Clerk's, so one verifier handles both. */
export function betterAuthOptions(options: LocalAccountsOptions) {
  const { pool, secret, publicUrl, rateLimits, isRegistrationOpen = false, logger } = options;
  const { mailer, onChange, onSessionEnded, deleteAccount, paymentPlugins = [] } = options;
  const secrets = { current: secret, previous: options.previousSecret ?? null };
  const limits = rateLimitStorage(pool);
  const mail = mailer ? mailOptions(publicUrl, { mailer, mayMail: mailLimit(limits) }) : undefined;
  const isHttps = publicUrl.startsWith('https:');
  const signInRule = { window: 60, max: rateLimits.signIn };
  return {
    appName: 'Pressroom',
    baseURL: publicUrl,
    basePath: '/api/auth',
    ...secretOptions(secrets),
    database: pool,
    trustedOrigins: ownOrigins(publicUrl),
    telemetry: { enabled: false },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_MIN_CHARACTERS,
      // Twice our limit in characters, because better-auth counts UTF-16 code units, at most two for each character.
      maxPasswordLength: 2 * PASSWORD_MAX_CHARACTERS,
      resetPasswordTokenExpiresIn: LINK_LIFETIME,
      revokeSessionsOnPasswordReset: true,
      password: passwordHashing(),
      ...mail?.emailAndPassword,
      onPasswordReset: async ({ user }) => {
        await pool.query(FORGET_TRUSTED_BROWSERS, [user.id]);
        await mail?.emailAndPassword.onPasswordReset({ user });
      },
    },
    emailVerification: mail?.emailVerification,
    session: sessionOptions,
    user: {
      modelName: 'auth_users',
      changeEmail: mail?.changeEmail,
      // `deleteAccount` also deletes better-auth's rows, so better-auth itself then finds nothing to delete.
      deleteUser: {
        enabled: deleteAccount !== undefined,
        beforeDelete: async ({ id }) => deleteAccount?.(id),
      },
    },
    account: { modelName: 'auth_accounts' },
    verification: { modelName: 'auth_verifications' },
    // We do not offer sign-in with other providers. Its pages need inline scripts, which our CSP blocks.
    disabledPaths: [
      '/error',
      '/sign-in/social',
      '/link-social',
      '/delete-user/callback',
      // We do not offer codes by mail. An authenticator app's secret must not be readable after its setup.
      '/two-factor/send-otp',
      '/two-factor/verify-otp',
      '/two-factor/get-totp-uri',
      ...APP_PATHS_OFF,
      ...PAYMENT_PATHS_OFF,
    ],
    hooks: { before: refuseOutdatedLinks(pool), after: endRedundantSessions(pool) },
    databaseHooks: {
      user: {
        create: { before: async (user) => ({ data: { ...user, ...checkedProfile(user) } }) },
        update: {
          before: async (user) => ({ data: { ...user, ...checkedProfile(user) } }),
          after: async ({ id }, context) => {
            // The address may have changed. Password reset links in the old mailbox must stop working.
            if (context?.path === '/verify-email') await deleteResetLinks(pool, id);
            await onChange?.(id);
          },
        },
      },
      session: sessionHooks({ pool, onSessionEnded }),
    },
    rateLimit: {
      enabled: true,
      customStorage: limits,
      customRules: {
        '/sign-in/*': signInRule,
        '/sign-up/*': { window: 60, max: rateLimits.signUp },
        '/change-password': signInRule,
        '/verify-password': signInRule,
        '/two-factor/*': signInRule,
        '/passkey/verify-*': signInRule,
        '/delete-user': signInRule,
        '/change-email': signInRule,
        '/request-password-reset': signInRule,
        '/reset-password': signInRule,
        '/send-verification-email': signInRule,
        '/subscription/*': { window: 60, max: 10 },
        '/oauth2/register': { window: 60, max: 5 },
        '/oauth2/token': { window: 60, max: 60 },
        '/**': false,
      },
    },
    advanced: {
      // Browsers accept a `__Host-` cookie only over https, and send it to this host only.
      cookiePrefix: isHttps ? '__Host-pressroom' : 'pressroom',
      // False, because better-auth would add its own prefix to the names. `secure` is set below.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isHttps },
      // Mails are sent in the background; the mailer logs failures.
      backgroundTasks: {
        handler: (task) =>
          void task.catch((err: unknown) => logger.error({ err }, 'Background work of the accounts failed')),
      },
      // Set explicitly, because better-auth disables both checks under NODE_ENV=test.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      // Our migrations create the tables. A test checks that they have all that better-auth needs.
      database: { validateSchema: false },
    },
    // Unexpected errors are thrown to `handle` in accounts.ts, which responds 503 if the database is unavailable.
    onAPIError: { throw: true, errorURL: `${publicUrl}${CONNECT_PAGE}` },
    logger: {
      level: 'warn',
      log: (level, message, ...details: unknown[]) => {
        if (REFUSAL.test(String(message))) return;
        logger[level === 'error' ? 'error' : 'warn'](
          // Logs only errors. Other details may contain data of the request.
          {
            err: details.find((detail) => typeof detail === 'object' && detail !== null && 'stack' in detail),
          },
          String(message),
        );
      },
    },
    plugins: [
      bearer(),
      jwt({
        disableSettingJwtHeader: true,
        jwks: { keyPairConfig: { alg: 'RS256', modulusLength: 2048 }, rotationInterval: KEY_DAYS * 86_400 },
        schema: { jwks: { modelName: 'auth_keys' } },
        jwt: {
          issuer: publicUrl,
          expirationTime: `${TOKEN_MINUTES}m`,
          definePayload: async ({ user, session }) => ({
            v: 2,
            sid: session.id,
            azp: publicUrl,
            nbf: Math.floor(Date.now() / 1000) - 5,
            sts: 'active',
            pla: await readPlanClaim(pool, user.id),
            name: user.name,
            email: user.email,
            picture: user.image ?? null,
          }),
        },
      }),
      ...appAuthorization(publicUrl, { isRegistrationOpen }),
      ...secondFactorPlugins(publicUrl),
      sessionIds(pool),
      ...paymentPlugins,
      secondFactorRules({
        ...{ pool, secrets, limits },
        onGuessed: async (user, network) => {
          logger.warn(
            { userId: user.id, mail: mail !== undefined },
            'Too many wrong codes of an authenticator app',
          );
          await pool.query(RECORD_GUESSED_CODES, [user.id, network]);
          await onChange?.(user.id);
          await mail?.onCodesGuessed(user);
        },
      }),
      // Must follow the two-factor plugin, whose hooks decide whether a sign-in is complete.
      passwordProtection({ pool, secrets, limits }),
    ],
  } satisfies BetterAuthOptions;
}

/** What better-auth logs for a refused call, such as `Invalid origin: …`, with what the client sent. The request has a line anyway. */
const REFUSAL =
  /^(Invalid |Blocked cross-site|Failed to parse state$|(User|Password|Reset Password: User) not found$)/;

const MAIL_LIMIT = { window: 900, max: 5 };

const mailLimit =
  (limits: RateLimitStorage): MailLimit =>
  async (key) =>
    (await limits.consume(key, MAIL_LIMIT)).allowed;

function checkedProfile({ name, image }: { name?: unknown; image?: unknown }) {
  try {
    return {
      ...(name !== undefined && { name: checkName(name) }),
      ...(image !== undefined && { image: checkImage(image) }),
    };
  } catch (error) {
    throw new APIError('BAD_REQUEST', { code: 'INVALID_PROFILE', message: (error as Error).message });
  }
}

async function readPlanClaim(pool: pg.Pool, userId: string): Promise<string> {
  const { rows } = await pool.query<{ plan: string }>('SELECT plan FROM users WHERE id = $1', [userId]);
  return rows[0]?.plan === 'premium' ? 'u:premium' : 'u:free_user';
}
