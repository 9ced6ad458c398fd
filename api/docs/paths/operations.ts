import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { publicConfigSchema } from '#libs/contract/config.js';
import { failureSchema } from '#libs/contract/envelope.js';
import { COMMON, failures, json, success } from '../answers.js';

const checks = z.object({ database: z.boolean(), queue: z.boolean(), storage: z.boolean() });

export const operationPaths: ZodOpenApiPathsObject = {
  '/api/webhooks/clerk': {
    post: {
      tags: ['Webhooks'],
      operationId: 'take-clerk-event',
      summary: 'Takes an event of Clerk’s: users and subscriptions',
      description:
        'Signed by Clerk (`svix-id`, `svix-timestamp`, `svix-signature`). Events may come in any order and again; those that concern nothing here are answered 200 too. 404 where `CLERK_WEBHOOK_SIGNING_SECRET` is not set.',
      security: [],
      requestParams: {
        header: z.object({
          'svix-id': z.string(),
          'svix-timestamp': z.string(),
          'svix-signature': z.string(),
        }),
      },
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: z.object({ type: z.string(), data: z.object({}).loose() }) },
        },
      },
      responses: {
        200: json(success({ message: z.string() }), 'Dealt with'),
        ...failures([
          'VALIDATION_FAILED',
          'NOT_FOUND',
          'FILE_TOO_LARGE',
          'RATE_LIMITED',
          'UNAVAILABLE',
          'INTERNAL',
        ]),
      },
    },
  },
  '/api/config': {
    get: {
      tags: ['Operations'],
      operationId: 'get-config',
      summary: 'What a client needs before sign-in',
      security: [],
      responses: { 200: json(success(publicConfigSchema.shape), 'The configuration') },
    },
  },
  '/health/live': {
    get: {
      tags: ['Operations'],
      operationId: 'live',
      summary: 'Whether the process lives',
      security: [],
      responses: { 200: json(success({}), 'It lives') },
    },
  },
  '/api/admin/session': {
    post: {
      tags: ['Operations'],
      operationId: 'open-queue-board',
      summary: 'Lets an operator’s browser in to the queue board for half an hour, by a cookie',
      responses: {
        200: json(success({ url: z.string() }), 'Let in; the board is at `url`'),
        ...failures(['FORBIDDEN', ...COMMON]),
      },
    },
    delete: {
      tags: ['Operations'],
      operationId: 'close-queue-board',
      summary: 'Closes the queue board for all browsers of the caller',
      responses: { 200: json(success({}), 'Closed'), ...failures(COMMON) },
    },
  },
  '/health/ready': {
    get: {
      tags: ['Operations'],
      operationId: 'ready',
      summary: 'Whether database, queue and object store answer',
      security: [],
      responses: {
        200: json(
          success({
            checks,
            pausedQueues: z.array(z.string()).meta({ description: 'Held by an operator.' }),
          }),
          'All answer',
        ),
        503: json(failureSchema.extend({ checks }), 'At least one does not answer'),
      },
    },
  },
};
