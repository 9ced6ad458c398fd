import { z } from 'zod';
import { PICTURE_MAX_MEGAPIXELS, describeFile } from '../limits.js';
import { accountSchema, removeAccountSchema, setPlanSchema } from '../account.js';
import { defineRoute, json, ok, success } from './define-route.js';

const tag = 'Account';
const accountAnswer = json(success(accountSchema.shape), 'The account');

export const accountRoutes = {
  getAccount: defineRoute('GET', '/api/user/account', {
    tag,
    scope: null,
    summary: 'Plan, credits, storage and profile of the caller',
    answers: { 200: accountAnswer },
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
