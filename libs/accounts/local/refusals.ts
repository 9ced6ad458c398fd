import { addToLogContext } from '#libs/observability/log-context.js';
import { AppError, type ErrorCode } from '#libs/contract/errors.js';
import { PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS } from '#libs/contract/account.js';
import { MANY_SIGN_INS } from './password-hashing.js';

const messages: Record<string, string> = {
  INVALID_EMAIL: 'Enter a valid email address.',
  INVALID_EMAIL_OR_PASSWORD: 'The email or the password is wrong.',
  INVALID_PASSWORD: 'The password is wrong.',
  PASSWORD_TOO_SHORT: `Choose a password of at least ${PASSWORD_MIN_CHARACTERS} characters.`,
  PASSWORD_TOO_LONG: `Choose a password of at most ${PASSWORD_MAX_CHARACTERS} characters.`,
  PASSWORD_NO_TEXT: 'The password contains invalid characters. Choose another one.',
  PASSWORD_TOO_COMMON: 'This password is too common. Choose another one, such as a few unrelated words.',
  PASSWORD_ABOUT_OWNER:
    'This password contains your name, your address or the name Pressroom, and is easy to guess. Choose another one.',
  INVALID_CODE: 'This code is wrong or has expired. Enter the code that the app shows now.',
  CODE_USED: 'This code was already used. Wait for the next one.',
  INVALID_BACKUP_CODE: 'This recovery code is wrong or was already used.',
  BACKUP_CODE_CONFLICT: 'Another request used a recovery code at the same moment. Try again.',
  INVALID_TWO_FACTOR_COOKIE: 'The time for entering a code has expired. Sign in again.',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Too many wrong codes. Sign in again.',
  ACCOUNT_TEMPORARILY_LOCKED:
    'Too many wrong codes. Use a recovery code, a passkey or a browser that you have signed in with before, or try again in a quarter of an hour.',
  TOTP_NOT_ENABLED: 'This account has no authenticator app. Sign in again.',
  TOTP_ALREADY_ENABLED: 'This account already has an authenticator app. Remove it first.',
  PASSKEY_NOT_FOUND: 'This passkey does not belong to an account here.',
  CHALLENGE_NOT_FOUND: 'The time for using a passkey has expired. Try again.',
  AUTHENTICATION_FAILED: 'The passkey could not be checked. Try again.',
  FAILED_TO_VERIFY_REGISTRATION: 'The passkey could not be checked. Try again.',
  PASSKEY_WITHOUT_VERIFICATION: 'Your device must verify you by fingerprint, face or PIN.',
  INVALID_PASSKEY_NAME: 'Give the passkey a name of 1 to 60 characters.',
  PASSWORD_REQUIRED: 'Enter your password to continue.',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'There is already an account with this email. Sign in instead.',
  FAILED_TO_CREATE_USER:
    'The account could not be created. If you have one with this email, sign in instead.',
  EMAIL_NOT_VERIFIED: 'Confirm your email address first: we sent you a link.',
  INVALID_TOKEN: 'This link is no longer valid. Ask for a new one.',
  TOKEN_EXPIRED: 'This link is no longer valid. Ask for a new one.',
  SESSION_EXPIRED: 'Enter your password: you signed in too long ago.',
  UNAUTHORIZED: 'The session has ended. Sign in again.',
  INVALID_ORIGIN: 'This page was opened at another address than Pressroom’s own (PUBLIC_URL).',
  CONFLICT: 'Another request used this at the same moment. Try again.',
  ALREADY_SUBSCRIBED: 'You already have a subscription. Change it under “Manage billing”.',
  PAYMENT_UNAVAILABLE: 'The payment service cannot be reached. Nothing was charged. Try again in a moment.',
  CUSTOMER_NOT_FOUND: 'There is no subscription yet.',
  MISSING_OR_NULL_ORIGIN: 'The request has no Origin header.',
};

/** Statuses that better-auth cannot set: an error of a hook that runs after an endpoint has the status of the endpoint's. */
const statusOf: Partial<Record<string, number>> = { PAYMENT_UNAVAILABLE: 503 };

/** Error messages for fields that are missing or of the wrong type. The key '' is for the whole body. */
const fieldMessages: Record<string, string> = {
  '': 'Send a JSON object with the fields of this call.',
  name: 'Enter your name.',
  email: messages.INVALID_EMAIL!,
  password: 'Enter a password.',
  currentPassword: 'Enter your current password.',
  newPassword: 'Enter a new password.',
  newEmail: messages.INVALID_EMAIL!,
  token: 'The link is not complete.',
};

/**
 * Rewrites better-auth's error responses: replaces the message with a clearer one, adds a missing body, and sends
 * `Retry-After` instead of `X-Retry-After`. Codes and the format `{code, message}` stay. Other responses are returned
 * unchanged.
 */
export async function rewriteRefusal(response: Response): Promise<Response> {
  if (response.status < 400) return response;
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  headers.set('content-type', 'application/json');
  const wait = headers.get('x-retry-after');
  if (wait) {
    headers.delete('x-retry-after');
    headers.set('retry-after', wait);
  }
  const body = refusalBody(response.status, await readJson(response), wait);
  addToLogContext({ code: body.code });
  return new Response(JSON.stringify(body), {
    status: statusOf[body.code] ?? response.status,
    headers,
  });
}

/** Converts an error response to an AppError and throws it. Does nothing for a successful response. */
export async function throwRefusal(response: Response): Promise<void> {
  if (response.ok) return;
  const { message } = (await readJson(response)) as { message: string };
  const retryAfterSeconds = Number(response.headers.get('retry-after')) || undefined;
  if (response.status === 400)
    throw new AppError('VALIDATION_FAILED', message, { details: [{ field: 'password', message }] });
  throw new AppError(codeOf[response.status] ?? 'INTERNAL', message, { retryAfterSeconds });
}

const codeOf: Partial<Record<number, ErrorCode>> = {
  401: 'UNAUTHENTICATED',
  429: 'RATE_LIMITED',
  503: 'UNAVAILABLE',
};

function refusalBody(status: number, body: Record<string, unknown>, wait: string | null) {
  if (wait) {
    const start = body.code === MANY_SIGN_INS ? 'Many people are signing in.' : 'Too many attempts.';
    return { code: 'RATE_LIMITED', message: `${start} Try again in ${duration(Number(wait))}.` };
  }
  const code = typeof body.code === 'string' ? body.code : (fallback[status]?.code ?? 'INTERNAL');
  const given = typeof body.message === 'string' && body.message !== '' ? body.message : undefined;
  // better-auth's message is "[body.email] Invalid input: …", or "[body] …" for the whole body.
  const field = code === 'VALIDATION_ERROR' ? /^\[body\.?(\w*)\]/.exec(given ?? '')?.[1] : undefined;
  const message =
    (field !== undefined ? fieldMessages[field] : undefined) ??
    messages[code] ??
    given ??
    fallback[status]?.message ??
    'The request was refused.';
  return { ...body, code, message };
}

/** Formats seconds as "45 seconds" or, rounded up, "3 minutes". */
function duration(seconds: number): string {
  const [count, unit] = seconds < 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const fallback: Record<number, { code: string; message: string }> = {
  400: { code: 'VALIDATION_ERROR', message: 'The request is not complete.' },
  401: { code: 'UNAUTHORIZED', message: 'Sign in first.' },
  404: { code: 'NOT_FOUND', message: 'There is no such call.' },
  409: { code: 'CONFLICT', message: messages.CONFLICT! },
  405: { code: 'METHOD_NOT_ALLOWED', message: 'This call does not support that method.' },
};

async function readJson(response: Response): Promise<Record<string, unknown>> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? { ...body } : {};
  } catch {
    return {};
  }
}
