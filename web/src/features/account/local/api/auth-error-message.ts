import { AuthError } from './auth-call';

type Field = 'name' | 'email' | 'password' | 'currentPassword' | 'newPassword' | 'newEmail';

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
