import { z } from 'zod';

export const emailSchema = z.email('Enter an email address, such as ada@example.com.');
export const nameSchema = z
  .string()
  .trim()
  .min(1, 'Enter your name.')
  .refine((name) => Array.from(name).length <= 100, 'Use at most 100 characters.');
export const newPasswordSchema = z
  .string()
  .min(8, 'Use at least 8 characters.')
  .max(128, 'Use at most 128 characters.');
