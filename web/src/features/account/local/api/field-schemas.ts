import { z } from 'zod';
import { PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS } from '#libs/contract/account.js';

export const emailSchema = z.email('Enter an email address, such as ada@example.com.');
export const nameSchema = z
  .string()
  .trim()
  .min(1, 'Enter your name.')
  .refine((name) => Array.from(name).length <= 100, 'Use at most 100 characters.');
/** Current password of the signed-in user, required to change the account. */
export const ownPasswordSchema = z.string().min(1, 'Enter your password to continue.');
export const newPasswordSchema = z
  .string()
  .refine(
    (password) => Array.from(password).length >= PASSWORD_MIN_CHARACTERS,
    `Use at least ${PASSWORD_MIN_CHARACTERS} characters.`,
  )
  .refine(
    (password) => Array.from(password).length <= PASSWORD_MAX_CHARACTERS,
    `Use at most ${PASSWORD_MAX_CHARACTERS} characters.`,
  );
/** Code of an authenticator app. Spaces are removed, since some apps show a space in the middle. */
export const appCodeSchema = z
  .string()
  .transform((code) => code.replace(/\s/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'Enter the 6-digit code from the app.'));
/** Recovery code as it was written down: without regard to spaces and hyphens and, but for codes of 10 characters, to case. */
export const recoveryCodeSchema = z
  .string()
  .transform((entered) => {
    const code = entered.replace(/[\s\p{Pd}]/gu, '');
    if (code.length === 10) return `${code.slice(0, 5)}-${code.slice(5)}`;
    return code.toLowerCase().replace(/.{4}(?=.)/g, '$&-');
  })
  .pipe(z.string().min(1, 'Enter one of your recovery codes.'));
export const passkeyNameSchema = z
  .string()
  .trim()
  .min(1, 'Enter a name.')
  .refine((name) => Array.from(name).length <= 60, 'Use at most 60 characters.');
