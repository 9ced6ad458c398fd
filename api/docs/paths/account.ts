import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { accountSchema, setPlanSchema } from '#libs/contract/account.js';
import { fileKinds } from '#libs/contract/file-kinds.js';
import { COMMON, failures, FILES, json, success } from '../answers.js';

export const accountPaths: ZodOpenApiPathsObject = {
  '/api/user/account': {
    get: {
      tags: ['Account'],
      operationId: 'get-account',
      summary: 'Plan, credits and profile of the caller',
      responses: { 200: json(success(accountSchema.shape), 'The account'), ...failures(COMMON) },
    },
    delete: {
      tags: ['Account'],
      operationId: 'remove-account',
      summary:
        'Removes everything the caller has here, the account itself included (with Clerk its user too)',
      responses: { 200: json(success({ message: z.string() }), 'All is gone'), ...failures(COMMON) },
    },
  },
  '/api/user/picture': {
    put: {
      tags: ['Account'],
      operationId: 'set-picture',
      summary: 'Sets the caller’s picture',
      description:
        'With local accounts only. The picture is made square and small, without what a camera wrote into it, and served at `profile.imageUrl`.',
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: z.object({
              picture: z.file().meta({
                description: `${fileKinds.image.types.join(', ')}; at most ${fileKinds.image.maxBytes / 1024 / 1024} MB.`,
              }),
            }),
          },
        },
      },
      responses: {
        200: json(success(accountSchema.shape), 'The account'),
        ...failures([
          'VALIDATION_FAILED',
          'FORBIDDEN',
          ...FILES.filter((code) => code !== 'UNREADABLE_PDF'),
          ...COMMON,
        ]),
      },
    },
    delete: {
      tags: ['Account'],
      operationId: 'remove-picture',
      summary: 'Removes the caller’s picture',
      responses: {
        200: json(success(accountSchema.shape), 'The account'),
        ...failures(['FORBIDDEN', ...COMMON]),
      },
    },
  },
  '/api/user/plan': {
    post: {
      tags: ['Account'],
      operationId: 'set-plan',
      summary: 'Switches the caller’s plan for trial, where the operator allows it',
      requestBody: { required: true, content: { 'application/json': { schema: setPlanSchema } } },
      responses: {
        200: json(success(accountSchema.shape), 'The account'),
        ...failures(['VALIDATION_FAILED', 'FORBIDDEN', ...COMMON]),
      },
    },
  },
};
