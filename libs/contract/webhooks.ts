import { z } from 'zod';
import { batchSchema } from './batches.js';
import { AppError } from './errors.js';
import { flowSchema, flowStepSchema } from './flows.js';
import { count, jobErrorSchema } from './jobs.js';
import { cursorSchema, limitSchema } from './pagination.js';

/** Maximum number of a user's webhooks. */
export const MAX_WEBHOOKS = 10;
export const WEBHOOK_URL_MAX_CHARACTERS = 2_000;
/** Days for which requests and answers are kept. */
export const WEBHOOK_LOG_DAYS = 30;
/** Characters of an answer's body that are kept. */
export const WEBHOOK_RESPONSE_MAX_CHARACTERS = 1_000;
/** Answers of a webhook whose bodies are kept, so that a receiver cannot fill the database. */
export const WEBHOOK_MAX_RESPONSES = 200;
/** Hours for which requests are also signed with the keys before a rotation. */
export const WEBHOOK_ROTATION_HOURS = 24;
/** Test events that a webhook may get in a minute, with those that are sent again by hand. */
export const MAX_MANUAL_DELIVERIES = 10;

const event = <T extends string, D extends z.ZodObject>(type: T, description: string, data: D) =>
  z
    .object({
      type: z.literal(type),
      timestamp: z.iso.datetime().meta({ description: 'The time of the event.' }),
      data,
    })
    .meta({ description });

const jobData = {
  jobId: z.uuid(),
  tool: z.string(),
  batchId: z.uuid().nullable(),
  flowId: z.uuid().nullable(),
};

/**
 * Payload of each event. Payloads have ids and states, but no texts or pictures: those may be deleted before the event
 * arrives, and only requests with a key may read them.
 */
export const webhookEventSchemas = {
  'job.succeeded': event(
    'job.succeeded',
    'A job has succeeded. `GET /api/jobs/{id}` returns its result.',
    z.object({ ...jobData, creationId: z.uuid().nullable() }),
  ),
  'job.failed': event(
    'job.failed',
    'A job has failed. Its credits were refunded.',
    z.object({ ...jobData, error: jobErrorSchema }),
  ),
  'batch.finished': event(
    'batch.finished',
    'No picture of a batch is missing, queued or running. Sent again if pictures are tried again.',
    z.object({
      batchId: z.uuid(),
      tool: z.string(),
      status: batchSchema.shape.status.exclude(['open']),
      counts: batchSchema.shape.counts,
    }),
  ),
  'flow.finished': event(
    'flow.finished',
    'A flow has ended, or has stopped because a step failed. Sent again if the step is tried again.',
    z.object({
      flowId: z.uuid(),
      flow: z.string(),
      status: flowSchema.shape.status.exclude(['open']),
      steps: z.array(
        flowStepSchema.pick({ n: true, tool: true, state: true, jobId: true, creationId: true }),
      ),
    }),
  ),
};
export const webhookTestSchema = event(
  'webhook.test',
  'A test by the webhook’s owner.',
  z.object({ webhookId: z.uuid() }),
);

export type WebhookEventType = keyof typeof webhookEventSchemas;
export type WebhookEvent =
  z.infer<(typeof webhookEventSchemas)[WebhookEventType]> | z.infer<typeof webhookTestSchema>;

export const webhookEventTypes = Object.keys(webhookEventSchemas) as [
  WebhookEventType,
  ...WebhookEventType[],
];

const webhookOffReasons = ['owner', 'gone', 'failing'] as const;
export type WebhookOffReason = (typeof webhookOffReasons)[number];

const URL_MESSAGE = `Give an address that starts with https://, of at most ${WEBHOOK_URL_MAX_CHARACTERS} characters, without a user name or password.`;

const settings = {
  url: z
    .string(URL_MESSAGE)
    .trim()
    .max(WEBHOOK_URL_MAX_CHARACTERS, URL_MESSAGE)
    .refine(isWebhookUrl, URL_MESSAGE)
    .meta({
      description: 'The address that receives the events: public, by HTTPS. The operator may allow others.',
    }),
  events: z
    .array(z.enum(webhookEventTypes, { error: `An event is one of ${webhookEventTypes.join(', ')}.` }), {
      error: 'Choose at least one event.',
    })
    .min(1, 'Choose at least one event.')
    .max(webhookEventTypes.length, 'Name each event once.')
    .refine((events) => new Set(events).size === events.length, 'Name each event once.'),
};

function isWebhookUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && !username && !password;
}

export const newWebhookSchema = z.object(settings);
export type NewWebhook = z.output<typeof newWebhookSchema>;

export const changeWebhookSchema = z
  .object({
    ...settings,
    isOn: z.boolean('Choose true or false.').meta({
      description: 'Off, its events are not sent. On again, those that waited when it was switched off are.',
    }),
  })
  .partial();
export type ChangeWebhook = z.output<typeof changeWebhookSchema>;

export const webhookSchema = z
  .object({
    id: z.uuid(),
    ...settings,
    isOn: z.boolean(),
    offReason: z.enum(webhookOffReasons).nullable().meta({
      description:
        'The reason why it is off: `owner` switched it off; the receiver answered 410 (`gone`); no success in three days (`failing`).',
    }),
    publicKey: z.string().meta({
      description: 'The key that verifies signatures of the form `v1a` (Ed25519): `whpk_…`.',
    }),
    rotatedUntil: z.iso.datetime().nullable().meta({
      description: 'Until this time, requests are also signed with the secret before the last rotation.',
    }),
    failingSince: z.iso.datetime().nullable(),
    lastSuccessAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof webhookSchema>;

export const webhookSecretSchema = z.string().meta({
  description: 'The secret that verifies signatures of the form `v1` (HMAC-SHA256): `whsec_…`.',
});

export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'paused'] as const;

export const webhookDeliverySchema = z
  .object({
    id: z.uuid().meta({ description: 'The `webhook-id` of its requests.' }),
    type: z.string(),
    status: z.enum(deliveryStatuses).meta({
      description: '`paused` while the webhook is off; `failed` after the last attempt.',
    }),
    attempts: count,
    nextAttemptAt: z.iso.datetime().nullable().meta({ description: 'While it is pending.' }),
    createdAt: z.iso.datetime(),
    lastAttempt: z
      .object({
        status: z.int().nullable().meta({ description: 'The HTTP status; null without an answer.' }),
        error: z.string().nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;

export const webhookDeliveryDetailsSchema = webhookDeliverySchema
  .omit({ lastAttempt: true })
  .extend({
    payload: z.string().meta({ description: 'The body of its requests.' }),
    log: z
      .array(
        z.object({
          n: z.int(),
          sentAt: z.iso.datetime(),
          milliseconds: count,
          status: z.int().nullable(),
          error: z.string().nullable(),
          response: z.string().meta({
            description: `The first ${WEBHOOK_RESPONSE_MAX_CHARACTERS} characters of the answer. Kept for the webhook’s newest ${WEBHOOK_MAX_RESPONSES} answers that have a body, else empty.`,
          }),
        }),
      )
      .meta({ description: 'Its requests and their answers, newest first.' }),
  })
  .meta({ id: 'WebhookDeliveryDetails' });
export type WebhookDeliveryDetails = z.infer<typeof webhookDeliveryDetailsSchema>;

export const deliveryListQuerySchema = z.object({
  status: z.enum(deliveryStatuses, { error: `Choose one of ${deliveryStatuses.join(', ')}.` }).optional(),
  cursor: cursorSchema,
  limit: limitSchema(100),
});
export type DeliveryListQuery = z.infer<typeof deliveryListQuerySchema>;

export const webhookNotFound = () => new AppError('NOT_FOUND', 'There is no such webhook.');
export const deliveryNotFound = () => new AppError('NOT_FOUND', 'There is no such delivery.');
