import { z } from 'zod';
import { PICTURE_MAX_MEGAPIXELS, describeFile } from '../limits.js';
import {
  accountSchema,
  guessedCodesSchema,
  removeAccountSchema,
  setPlanSchema,
  subscriptionSchema,
} from '../account.js';
import { zipAnswer } from './batches.js';
import { receiptSchema, receiptsQuerySchema, usageQuerySchema, usageSchema } from '../usage.js';
import { defineRoute, json, ok, page, success } from './define-route.js';

const tag = 'Account';
const accountAnswer = json(success(accountSchema.shape), 'The account');

export const accountRoutes = {
  getAccount: defineRoute('GET', '/api/user/account', {
    tag,
    scope: null,
    summary: 'Plan, credits, storage and profile of the caller',
    answers: { 200: accountAnswer },
  }),
  getSubscription: defineRoute('GET', '/api/user/subscription', {
    tag,
    scope: null,
    summary: 'The caller’s subscription of the premium plan',
    description: 'Local accounts with payment by Stripe only. Null without one, and once it has ended.',
    answers: ok({ subscription: subscriptionSchema.nullable() }, 'The subscription'),
  }),
  getGuessedCodes: defineRoute('GET', '/api/user/guessed-codes', {
    tag,
    scope: null,
    summary: 'Whether somebody who knows the caller’s password guessed codes of the authenticator app',
    description:
      'The last time when a sign-in with the right password was followed by the tenth wrong code. Null without one, once it was dismissed, and with Clerk.',
    answers: ok({ guessedCodes: guessedCodesSchema.nullable() }, 'The last guesses'),
  }),
  dismissGuessedCodes: defineRoute('DELETE', '/api/user/guessed-codes', {
    tag,
    scope: null,
    summary: 'Dismisses the notice of guessed codes',
    answers: ok({ guessedCodes: guessedCodesSchema.nullable() }, 'Dismissed'),
  }),
  getUsage: defineRoute('GET', '/api/user/usage', {
    tag,
    scope: null,
    summary: 'What the caller made and spent in a month, and what is stored',
    query: usageQuerySchema,
    answers: ok({ usage: usageSchema }, 'The use'),
  }),
  listReceipts: defineRoute('GET', '/api/user/receipts', {
    tag,
    scope: null,
    summary: 'The credits of each job of a month, the newest first, also of jobs that cost none',
    description: 'With grants and adjustments they add up to the ledger of the month.',
    query: receiptsQuerySchema,
    answers: page({ receipts: z.array(receiptSchema) }, 'The receipts'),
  }),
  removeAccount: defineRoute('DELETE', '/api/user/account', {
    tag,
    scope: null,
    summary: 'Deletes the caller’s account with all data (with Clerk, Clerk’s user too)',
    description:
      'Local accounts need the password again, as for `POST /api/auth/delete-user`. Wrong passwords slow down further attempts.',
    body: removeAccountSchema,
    bodyRequired: false,
    answers: ok({ message: z.string() }, 'The account is deleted'),
  }),
  exportAccount: defineRoute('POST', '/api/user/export', {
    tag,
    scope: null,
    summary: 'A link to download everything that is stored about the caller',
    description:
      'A ZIP with one file of JSON lines for each table, and all files, without passwords, tokens and keys: what the deletion of the account would delete. The link is valid for an hour and ends earlier ones.',
    answers: ok({ url: z.string() }, 'The link'),
  }),
  getAccountExport: defineRoute('GET', '/files/exports/:key', {
    tag: 'Files',
    summary: 'All data of a user as a ZIP, for everyone who knows the URL',
    public: true,
    params: z.object({ key: z.string() }),
    answers: zipAnswer('Rows as JSON lines, and files'),
    errors: ['NOT_FOUND', 'ACCOUNT_SUSPENDED', 'RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL'],
  }),
  setPicture: defineRoute('PUT', '/api/user/picture', {
    tag,
    scope: null,
    summary: 'Sets the caller’s picture',
    description:
      'Local accounts only. The picture is cropped to a small square, without metadata, and served at `profile.imageUrl`.',
    form: z.object({
      picture: z.file().meta({
        description: `${describeFile('image')} At most ${PICTURE_MAX_MEGAPIXELS} megapixels.`,
      }),
    }),
    answers: { 200: accountAnswer },
    errors: ['FORBIDDEN', 'UNSUPPORTED_FILE', 'UNREADABLE_IMAGE', 'STORAGE_FULL', 'DISK_FULL'],
  }),
  removePicture: defineRoute('DELETE', '/api/user/picture', {
    tag,
    scope: null,
    summary: 'Removes the caller’s picture',
    answers: { 200: accountAnswer },
    errors: ['FORBIDDEN'],
  }),
  setPlan: defineRoute('POST', '/api/user/plan', {
    tag,
    scope: null,
    summary: 'Switches the caller’s plan for trial, if the operator allows it',
    body: setPlanSchema,
    answers: { 200: accountAnswer },
    errors: ['FORBIDDEN'],
  }),
};
