import { z } from 'zod';
import { PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS } from '#libs/contract/account.js';

export const emailSchema = z.email('Enter an email address, such as ada@example.com.');
export const nameSchema = z
  .string()
  .trim()
  .min(1, 'Enter your name.')
  .refine((name) => Array.from(name).length <= 100, 'Use at most 100 characters.');
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
