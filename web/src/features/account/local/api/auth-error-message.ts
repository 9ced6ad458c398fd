import { AuthError } from './auth-call';
import errors from './auth-errors.json' with { type: 'json' };

export type Field = 'code' | 'name' | 'email' | 'password' | 'currentPassword' | 'newPassword' | 'newEmail';

export interface AuthErrorMessage {
  message: string;
  /** Fields at which to show the error. A form has at most one of these fields. */
  fields?: Field[];
}

const byCode: Partial<Record<string, AuthErrorMessage>> = errors as Record<
  keyof typeof errors,
  AuthErrorMessage
>;

export function authErrorMessage(error: unknown): AuthErrorMessage {
  if (error instanceof AuthError && error.code === 'PAYMENT_UNAVAILABLE')
    return { message: 'The payment service cannot be reached. Nothing was charged. Try again in a moment.' };
  if (!(error instanceof AuthError) || error.status === 0 || error.status >= 500)
    return { message: 'Pressroom cannot be reached. Nothing is lost. Try again in a moment.' };
  if (error.code === 'ACCOUNT_SUSPENDED' && error.reason !== null) return { message: error.reason };
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
