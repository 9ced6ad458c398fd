import { z } from 'zod';
import { PICTURE_MAX_MEGAPIXELS, describeFile } from '../limits.js';
import { accountSchema, removeAccountSchema, setPlanSchema } from '../account.js';
import { defineRoute, json, success } from './define-route.js';

const tag = 'Account';
const accountAnswer = json(success(accountSchema.shape), 'The account');

export const accountRoutes = {
  getAccount: defineRoute('GET', '/api/user/account', {
    tag,
    summary: 'Plan, credits, storage and profile of the caller',
    answers: { 200: accountAnswer },
    errors: [],
  }),
  removeAccount: defineRoute('DELETE', '/api/user/account', {
    tag,
    summary: 'Deletes everything the caller has here, the account itself included (with Clerk its user too)',
    description:
      'With local accounts it asks for the password again, as `POST /api/auth/delete-user` does; wrong ones slow down further ones.',
    body: removeAccountSchema,
    bodyRequired: false,
    answers: { 200: json(success({ message: z.string() }), 'Everything is deleted') },
    errors: ['VALIDATION_FAILED'],
  }),
  setPicture: defineRoute('PUT', '/api/user/picture', {
    tag,
    summary: 'Sets the caller’s picture',
    description:
      'With local accounts only. The picture is made square and small, without its metadata, and served at `profile.imageUrl`.',
    form: z.object({
      picture: z.file().meta({
        description: `${describeFile('image')} At most ${PICTURE_MAX_MEGAPIXELS} megapixels.`,
      }),
    }),
    answers: { 200: accountAnswer },
    errors: [
      'VALIDATION_FAILED',
      'FORBIDDEN',
      'REQUEST_TOO_SLOW',
      'FILE_TOO_LARGE',
      'UNSUPPORTED_FILE',
      'UNREADABLE_IMAGE',
      'STORAGE_FULL',
      'DISK_FULL',
    ],
  }),
  removePicture: defineRoute('DELETE', '/api/user/picture', {
    tag,
    summary: 'Removes the caller’s picture',
    answers: { 200: accountAnswer },
    errors: ['FORBIDDEN'],
  }),
  setPlan: defineRoute('POST', '/api/user/plan', {
    tag,
    summary: 'Switches the caller’s plan for trial, where the operator allows it',
    body: setPlanSchema,
    answers: { 200: accountAnswer },
    errors: ['VALIDATION_FAILED', 'FORBIDDEN'],
  }),
};
