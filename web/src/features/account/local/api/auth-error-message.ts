import { AuthError } from './auth-call';

export type Field = 'code' | 'name' | 'email' | 'password' | 'currentPassword' | 'newPassword' | 'newEmail';

export interface AuthErrorMessage {
  message: string;
  /** The fields that it can belong to. A form has at most one of them. */
  fields?: Field[];
}

const OWN_PASSWORD: Field[] = ['currentPassword', 'password'];
const NEW_PASSWORD: Field[] = ['newPassword', 'password'];

const byCode: Record<string, AuthErrorMessage> = {
  INVALID_EMAIL_OR_PASSWORD: {
    fields: ['password'],
    message: 'Wrong email or password. Check both, or create an account.',
  },
  USER_ALREADY_EXISTS: { fields: ['email'], message: 'This email already has an account. Sign in instead.' },
  INVALID_EMAIL: {
    fields: ['newEmail', 'email'],
    message: 'Enter an email address, such as ada@example.com.',
  },
  INVALID_PASSWORD: { fields: OWN_PASSWORD, message: 'Wrong password. Nothing was changed.' },
  PASSWORD_TOO_SHORT: { fields: NEW_PASSWORD, message: 'Use at least 8 characters.' },
  PASSWORD_TOO_LONG: { fields: NEW_PASSWORD, message: 'Use at most 128 characters.' },
  PASSWORD_NO_TEXT: {
    fields: NEW_PASSWORD,
    message: 'This password has characters that are not valid text. Choose another one.',
  },
  PASSWORD_TOO_COMMON: {
    fields: NEW_PASSWORD,
    message: 'This password is too common. Choose another one, such as a few unrelated words.',
  },
  PASSWORD_ABOUT_OWNER: {
    fields: NEW_PASSWORD,
    message:
      'This password contains your name, your email address or the name of Pressroom. Choose another one.',
  },
  PASSWORD_REQUIRED: { fields: OWN_PASSWORD, message: 'Enter your password to continue.' },
  INVALID_PROFILE: {
    fields: ['name'],
    message: 'Use at most 100 visible characters.',
  },
  INVALID_CODE: {
    fields: ['code'],
    message: 'Wrong or expired code. Enter the code that the app shows now.',
  },
  CODE_USED: { fields: ['code'], message: 'This code was already used. Wait for the next one.' },
  INVALID_BACKUP_CODE: { fields: ['code'], message: 'This recovery code is wrong or was already used.' },
  INVALID_TWO_FACTOR_COOKIE: { message: 'The time to enter a code has expired. Sign in again.' },
  ACCOUNT_TEMPORARILY_LOCKED: {
    message: 'Too many wrong codes. Try again in 15 minutes, or sign in with a passkey.',
  },
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: { message: 'Too many wrong codes. Sign in again.' },
  PASSKEY_NOT_FOUND: {
    message: 'No account uses this passkey. Sign in with your password.',
  },
  PASSKEY_WITHOUT_VERIFICATION: {
    message: 'Your device must verify you. Set up a fingerprint, face recognition or a PIN on it.',
  },
  INVALID_PASSKEY_NAME: { fields: ['name'], message: 'Use 1 to 60 characters.' },
  UNAUTHORIZED: { message: 'Your session has ended. Sign in again to continue.' },
};
byCode['USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL'] = byCode['USER_ALREADY_EXISTS'] as AuthErrorMessage;

export function authErrorMessage(error: unknown): AuthErrorMessage {
  if (!(error instanceof AuthError) || error.status === 0 || error.status >= 500)
    return { message: 'Pressroom cannot be reached. Nothing is lost. Try again in a moment.' };
  const known = byCode[error.code ?? ''];
  if (known) return known;
  if (error.status === 429) {
    const wait = error.retryAfterSeconds;
    return {
      message: `Too many attempts. Wait ${wait === null ? 'a minute' : duration(wait)}, then try again.`,
    };
  }
  return { message: 'Something went wrong. Check your entries and try again.' };
}

function duration(seconds: number): string {
  const [count, unit] = seconds < 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
