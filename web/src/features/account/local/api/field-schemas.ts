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
export const passkeyNameSchema = z
  .string()
  .trim()
  .min(1, 'Enter a name.')
  .refine((name) => Array.from(name).length <= 60, 'Use at most 60 characters.');
