import { z } from 'zod';
import { publicConfigSchema } from '../config.js';
import { failureSchema, defineRoute, json, success } from './define-route.js';

const tag = 'Operations';
const checks = z.object({ database: z.boolean(), queue: z.boolean(), storage: z.boolean() });

export const operationRoutes = {
  takeClerkEvent: defineRoute('POST', '/api/webhooks/clerk', {
    tag: 'Webhooks',
    summary: 'Takes an event of Clerk’s: users and subscriptions',
    description:
      'Signed by Clerk (`svix-id`, `svix-timestamp`, `svix-signature`). Events may come in any order and more than once; those that concern nothing here are answered 200 too. 404 where `CLERK_WEBHOOK_SIGNING_SECRET` is not set.',
    public: true,
    headers: z.object({
      'svix-id': z.string(),
      'svix-timestamp': z.string(),
      'svix-signature': z.string(),
    }),
    body: z.object({ type: z.string(), data: z.object({}).loose() }),
    answers: { 200: json(success({ message: z.string() }), 'Processed') },
    errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'FILE_TOO_LARGE', 'RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL'],
  }),
  getConfig: defineRoute('GET', '/api/config', {
    tag,
    summary: 'What a client needs before sign-in',
    public: true,
    answers: { 200: json(success(publicConfigSchema.shape), 'The configuration') },
    errors: ['RATE_LIMITED'],
  }),
  openQueueBoard: defineRoute('POST', '/api/admin/session', {
    tag,
    summary: 'Opens the queue board to an operator’s browser for half an hour, by a cookie',
    answers: { 200: json(success({ url: z.string() }), 'The board is at `url`') },
    errors: ['FORBIDDEN', 'TWO_FACTOR_REQUIRED'],
  }),
  closeQueueBoard: defineRoute('DELETE', '/api/admin/session', {
    tag,
    summary: 'Closes the queue board for all browsers of the caller',
    answers: { 200: json(success({}), 'Closed') },
    errors: [],
  }),
  live: defineRoute('GET', '/health/live', {
    tag,
    summary: 'Whether the process lives',
    public: true,
    answers: { 200: json(success({}), 'It lives') },
    errors: [],
  }),
  ready: defineRoute('GET', '/health/ready', {
    tag,
    summary: 'Whether database, queue and object store answer',
    public: true,
    answers: {
      200: json(
        success({
          checks,
          pausedQueues: z.array(z.string()).meta({ description: 'Paused by an operator.' }),
        }),
        'All answer',
      ),
      503: json(failureSchema.extend({ checks }), 'At least one does not answer'),
    },
    errors: [],
  }),
};
