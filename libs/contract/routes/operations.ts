import { z } from 'zod';
import { publicConfigSchema } from '../config.js';
import { defineRoute, failureSchema, json, ok, success, retryAfterHeader } from './define-route.js';

const tag = 'Operations';
const SIGNED_MAX_BYTES = 256 * 2 ** 10;
const checks = z.object({ database: z.boolean(), queue: z.boolean(), storage: z.boolean() });

export const operationRoutes = {
  takeClerkEvent: defineRoute('POST', '/api/webhooks/clerk', {
    tag: 'Webhooks',
    summary: 'Receives Clerk’s events about users and subscriptions',
    description:
      'Signed by Clerk (`svix-id`, `svix-timestamp`, `svix-signature`). Events may arrive in any order and repeatedly. Ignored events are answered with 200 too. 404 without `CLERK_WEBHOOK_SIGNING_SECRET`.',
    public: true,
    atWork: 'unlimited',
    headers: z.object({
      'svix-id': z.string(),
      'svix-timestamp': z.string(),
      'svix-signature': z.string(),
    }),
    body: z.object({ type: z.string(), data: z.object({}).loose() }),
    bodyMaxBytes: SIGNED_MAX_BYTES,
    rawBody: true,
    answers: ok({ message: z.string() }, 'Processed'),
    errors: ['NOT_FOUND', 'RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL'],
  }),
  takeStripeEvent: defineRoute('POST', '/api/webhooks/stripe', {
    tag: 'Webhooks',
    summary: 'Receives Stripe’s events about customers, subscriptions and payments',
    description:
      'Signed by Stripe (`stripe-signature`). Events may arrive late, in any order and repeatedly: each one makes the server read the subscriptions from Stripe. Ignored events, and events about unknown customers, are answered with 200 too. 404 without `STRIPE_WEBHOOK_SECRET`.',
    public: true,
    atWork: 'unlimited',
    headers: z.object({ 'stripe-signature': z.string() }),
    body: z.object({ type: z.string(), data: z.object({}).loose() }),
    bodyMaxBytes: SIGNED_MAX_BYTES,
    rawBody: true,
    answers: ok({ message: z.string() }, 'Processed'),
    errors: ['NOT_FOUND', 'RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL'],
  }),
  getConfig: defineRoute('GET', '/api/config', {
    tag,
    summary: 'The settings that a client needs before sign-in',
    public: true,
    answers: ok(publicConfigSchema.shape, 'The configuration'),
    errors: ['RATE_LIMITED'],
  }),
  openQueueBoard: defineRoute('POST', '/api/admin/session', {
    tag,
    scope: null,
    summary: 'Gives an operator’s browser access to the queue board for half an hour, by a cookie',
    description: 'It is in the audit log.',
    answers: ok({ url: z.string() }, 'The board is at `url`'),
    errors: ['FORBIDDEN', 'TWO_FACTOR_REQUIRED'],
  }),
  closeQueueBoard: defineRoute('DELETE', '/api/admin/session', {
    tag,
    scope: null,
    summary: 'Closes the queue board for all browsers of the caller',
    answers: ok({}, 'Closed'),
  }),
  live: defineRoute('GET', '/health/live', {
    tag,
    summary: 'Whether the process is running',
    public: true,
    answers: ok({}, 'It is running'),
    errors: ['VALIDATION_FAILED'],
  }),
  ready: defineRoute('GET', '/health/ready', {
    tag,
    summary: 'Whether database, queue and object store answer',
    public: true,
    answers: {
      200: json(
        success({
          checks,
          pausedQueues: z.array(z.string()).meta({ description: 'Queues that an operator paused.' }),
        }),
        'All answer',
      ),
      503: {
        ...json(
          failureSchema.extend({ checks }),
          'At least one does not answer, or the database takes no writes; `message` says which',
        ),
        headers: retryAfterHeader,
      },
    },
    errors: ['VALIDATION_FAILED'],
  }),
};
