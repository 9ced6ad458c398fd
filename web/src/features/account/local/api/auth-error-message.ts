import { AuthError } from './auth-call';

type Field = 'code' | 'name' | 'email' | 'password' | 'currentPassword' | 'newPassword' | 'newEmail';

export interface AuthErrorMessage {
  field: Field | null;
  message: string;
}

const byCode: Record<string, AuthErrorMessage> = {
  INVALID_EMAIL_OR_PASSWORD: {
    field: 'password',
    message: 'That email and password do not go together. Check both, or create an account.',
  },
  USER_ALREADY_EXISTS: { field: 'email', message: 'This email already has an account. Sign in instead.' },
  INVALID_EMAIL: { field: 'email', message: 'Enter an email address, such as ada@example.com.' },
  INVALID_PASSWORD: { field: 'password', message: 'That is not your password. Nothing was changed.' },
  PASSWORD_TOO_SHORT: { field: 'password', message: 'Use at least 8 characters.' },
  PASSWORD_TOO_LONG: { field: 'password', message: 'Use at most 128 characters.' },
  PASSWORD_NO_TEXT: { field: 'password', message: 'Choose a password that other programs can read as text.' },
  PASSWORD_TOO_COMMON: {
    field: 'password',
    message:
      'This is one of the passwords that others try first. Choose another one, such as a few words that nobody else puts together.',
  },
  PASSWORD_ABOUT_OWNER: {
    field: 'password',
    message:
      'This is your name, your address or the name of Pressroom, which others would try first. Choose another one.',
  },
  PASSWORD_REQUIRED: { field: 'password', message: 'Enter your password to go on.' },
  INVALID_PROFILE: { field: 'name', message: 'Use at most 100 characters, and none that cannot be shown.' },
  INVALID_CODE: {
    field: 'code',
    message: 'That code is wrong, or its time is over. Enter the one that the app shows now.',
  },
  CODE_USED: { field: 'code', message: 'That code was used already. Wait for the next one.' },
  INVALID_BACKUP_CODE: { field: 'code', message: 'That recovery code is wrong, or was used already.' },
  INVALID_TWO_FACTOR_COOKIE: { field: null, message: 'The time to enter a code is over. Sign in again.' },
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: { field: null, message: 'Too many wrong codes. Sign in again.' },
  PASSKEY_NOT_FOUND: {
    field: null,
    message: 'This passkey belongs to no account here. Sign in with your password.',
  },
  PASSKEY_WITHOUT_VERIFICATION: {
    field: null,
    message: 'Your device has to check that it is you: set up a fingerprint, a face or a PIN on it.',
  },
  INVALID_PASSKEY_NAME: { field: 'name', message: 'Use 1 to 60 characters.' },
  UNAUTHORIZED: { field: null, message: 'Your session has ended. Sign in again to go on.' },
};
byCode['USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL'] = byCode['USER_ALREADY_EXISTS'] as AuthErrorMessage;

export function authErrorMessage(error: unknown): AuthErrorMessage {
  if (!(error instanceof AuthError) || error.status === 0 || error.status >= 500) {
    return {
      field: null,
      message: 'Pressroom cannot be reached just now. Nothing is lost; try again in a moment.',
    };
  }
  if (error.code === 'ACCOUNT_TEMPORARILY_LOCKED')
    return {
      field: null,
      message: 'Too many wrong codes. Try again in a quarter of an hour, or sign in with a passkey.',
    };
  if (error.status === 429) {
    const wait = error.retryAfterSeconds;
    return {
      field: null,
      message: `Too many tries. Wait ${wait === null ? 'a minute' : duration(wait)}, then try again.`,
    };
  }
  return (
    byCode[error.code ?? ''] ?? {
      field: null,
      message: 'That did not work. Check what you entered, then try again.',
    }
  );
}

function duration(seconds: number): string {
  const [count, unit] = seconds < 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
