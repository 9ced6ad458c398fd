import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware, isAPIError } from 'better-auth/api';
import type pg from 'pg';
import { networkOf, sessionOf, textOf, type HookContext as Context } from './hook-context.js';
import { KnownDevices } from './known-devices.js';
import type { AuthSecrets } from './secrets.js';
import { refuseNewPassword, type PasswordOwner } from './new-password.js';
import { PasswordGuesses, type Guess, type Guesser } from './password-guesses.js';
import type { RateLimitStorage } from './rate-limit-storage.js';

/** Name of the field with the new password, by route. */
const NEW_PASSWORD: Record<string, string> = {
  '/sign-up/email': 'password',
  '/reset-password': 'newPassword',
  '/change-password': 'newPassword',
};

/** Name of the field with the signed-in user's current password, by route. */
const OWN_PASSWORD: Record<string, string> = {
  '/change-password': 'currentPassword',
  '/change-email': 'password',
  '/delete-user': 'password',
  '/verify-password': 'password',
  '/two-factor/enable': 'password',
  '/two-factor/disable': 'password',
  '/two-factor/generate-backup-codes': 'password',
  '/passkey/verify-registration': 'password',
  '/passkey/delete-passkey': 'password',
};
/** Routes whose password better-auth does not check, so we do. */
const NOT_COMPARED = ['/change-email', '/passkey/verify-registration', '/passkey/delete-passkey'];
/** Routes for which better-auth does not require a password, so we do. */
const WITHOUT_PASSWORD = [...NOT_COMPARED, '/delete-user'];

/** Error codes of a wrong password. */
const WRONG_PASSWORD = ['INVALID_EMAIL_OR_PASSWORD', 'INVALID_PASSWORD'];
/** Error codes after a right password. With any other error code, no password was compared. */
const RIGHT_PASSWORD = ['EMAIL_NOT_VERIFIED'];

/**
 * Without mail, sign-up reveals that an address has an account. To slow down the search for accounts, a network is blocked
 * from sign-up after this many such responses in an hour.
 */
const TAKEN_RULE = { window: 3_600, max: 10 };
const TAKEN_CODE = 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL';

interface Options {
  pool: pg.Pool;
  secrets: AuthSecrets;
  limits: RateLimitStorage;
}

/** Plugin that checks new passwords, limits guesses, and requires the password again for sensitive routes. */
export function passwordProtection({ pool, secrets, limits }: Options) {
  const guesses = new PasswordGuesses(limits);
  const begun = new WeakMap<Request, Guess>();
  /** Email addresses of the accounts whose password a running request resets. */
  const resetting = new WeakMap<Request, string>();
  const devices = new KnownDevices(secrets);

  async function checkNewPassword(context: Context): Promise<void> {
    const password = textOf(context.body, NEW_PASSWORD[context.path] ?? '');
    if (password === undefined) return;
    const owner = await ownerOf(context, pool);
    const code = refuseNewPassword(password, owner);
    if (code !== null) throw new APIError('BAD_REQUEST', { code });
    if (context.path === '/reset-password' && context.request) resetting.set(context.request, owner.email);
  }

  async function checkTaken(context: Context): Promise<void> {
    const wait = await limits.wait(takenKey(context), TAKEN_RULE);
    if (wait !== null) throw tooMany(wait);
  }

  const takenKey = (context: Context) => `taken/${networkOf(context)}`;

  async function countGuess(context: Context): Promise<void> {
    const guesser = await guesserOf(context);
    if (guesser === undefined || !context.request) return;
    const guess = await guesses.begin(guesser);
    if (typeof guess === 'number') throw tooMany(guess);
    begun.set(context.request, guess);
    if (!NOT_COMPARED.includes(context.path) || (await isOwnPassword(context))) return;
    throw new APIError('BAD_REQUEST', { code: 'INVALID_PASSWORD' });
  }

  async function guesserOf(context: Context): Promise<Guesser | undefined> {
    if (context.path === '/sign-in/email') {
      const email = textOf(context.body, 'email');
      if (email === undefined || textOf(context.body, 'password') === undefined) return undefined;
      const account = devices.accountOf(email);
      const device = await devices.find(context, email);
      return device.isKnown
        ? { account, source: device.id, hasSignedIn: true }
        : { account, source: networkOf(context), hasSignedIn: false };
    }
    const field = OWN_PASSWORD[context.path];
    if (field === undefined) return undefined;
    const session = await sessionOf(context);
    if (!session) return undefined;
    if (!textOf(context.body, field)) {
      if (!WITHOUT_PASSWORD.includes(context.path)) return undefined;
      throw new APIError('BAD_REQUEST', { code: 'PASSWORD_REQUIRED' });
    }
    return { account: devices.accountOf(session.user.email), source: session.session.id, hasSignedIn: true };
  }

  async function endGuess({ request, context: { returned } }: Context): Promise<void> {
    const guess = request && begun.get(request);
    if (!guess) return;
    begun.delete(request);
    const code = isAPIError(returned) ? returned.body?.code : undefined;
    if (code !== undefined && WRONG_PASSWORD.includes(code)) return;
    await (code === undefined || RIGHT_PASSWORD.includes(code) ? guess.accept() : guess.withdraw());
  }

  /** Sets the device cookie after a sign-in or a password reset. */
  async function rememberOwnDevice(context: Context): Promise<void> {
    const { request, context: state } = context;
    const reset = request && !isAPIError(state.returned) ? resetting.get(request) : undefined;
    const email = reset ?? state.newSession?.user.email;
    if (reset) await guesses.forgetOthers(devices.accountOf(reset));
    if (email) await devices.remember(context, email);
  }

  return {
    id: 'password-protection',
    hooks: {
      before: [
        {
          matcher: ({ path }) =>
            path === '/sign-in/email' ||
            (path !== undefined && (path in NEW_PASSWORD || path in OWN_PASSWORD)),
          handler: createAuthMiddleware(async (context) => {
            await checkNewPassword(context);
            if (context.path === '/sign-up/email') await checkTaken(context);
            await countGuess(context);
          }),
        },
      ],
      after: [
        {
          matcher: () => true,
          handler: createAuthMiddleware(async (context) => {
            await endGuess(context);
            const { returned } = context.context;
            if (isAPIError(returned) && returned.body?.code === TAKEN_CODE)
              await limits.consume(takenKey(context), TAKEN_RULE);
            await rememberOwnDevice(context);
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

/** Finds the user who will have the new password: who signs up, is signed in, or got the reset link. */
async function ownerOf(context: Context, pool: pg.Pool): Promise<PasswordOwner> {
  if (context.path === '/sign-up/email')
    return { name: textOf(context.body, 'name') ?? '', email: textOf(context.body, 'email') ?? '' };
  if (context.path === '/change-password') return (await sessionOf(context))?.user ?? NOBODY;
  const token = textOf(context.body, 'token') ?? textOf(context.query, 'token');
  const { rows } = await pool.query<PasswordOwner>(
    `SELECT u."name", u."email" FROM auth_verifications v JOIN auth_users u ON u."id" = v."value" WHERE v."identifier" = $1`,
    [`reset-password:${token}`],
  );
  return rows[0] ?? NOBODY;
}

const NOBODY: PasswordOwner = { name: '', email: '' };

async function isOwnPassword(context: Context): Promise<boolean> {
  const session = await sessionOf(context);
  const password = textOf(context.body, 'password');
  const { internalAdapter, password: hashes } = context.context;
  const account = session && (await internalAdapter.findCredentialAccount(session.user.id));
  if (!account?.password || password === undefined) return false;
  return hashes.verify({ hash: account.password, password });
}

const tooMany = (seconds: number) =>
  new APIError('TOO_MANY_REQUESTS', { code: 'RATE_LIMITED' }, { 'X-Retry-After': String(seconds) });
