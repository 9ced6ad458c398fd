import { z } from 'zod';
import {
  changeWebhookSchema,
  deliveryListQuerySchema,
  MAX_MANUAL_DELIVERIES,
  MAX_WEBHOOKS,
  newWebhookSchema,
  WEBHOOK_LOG_DAYS,
  WEBHOOK_ROTATION_HOURS,
  webhookDeliveryDetailsSchema,
  webhookDeliverySchema,
  webhookSchema,
  webhookSecretSchema,
} from '../webhooks.js';
import { defineRoute, json, ok, page, success } from './define-route.js';

const tag = 'Webhooks';
const scope = 'webhooks';
const params = z.object({ id: z.uuid().meta({ description: 'The webhook’s id.' }) });
const deliveryParams = params.extend({
  deliveryId: z.uuid().meta({ description: 'The delivery’s id: the `webhook-id` of its requests.' }),
});
const withSecret = ok({ webhook: webhookSchema, secret: webhookSecretSchema }, 'The webhook and its secret');
const oneDelivery = json(success({ delivery: webhookDeliverySchema }), 'The delivery');

export const webhookRoutes = {
  listWebhooks: defineRoute('GET', '/api/webhooks', {
    tag,
    scope,
    summary: 'The caller’s webhooks, newest first',
    answers: ok({ webhooks: z.array(webhookSchema) }, 'The webhooks'),
  }),
  createWebhook: defineRoute('POST', '/api/webhooks', {
    tag,
    scope,
    summary: 'Creates a webhook',
    description: `Its secret is in this answer only. At most ${MAX_WEBHOOKS} per user.`,
    body: newWebhookSchema,
    example: { url: 'https://shop.example.com/pressroom', events: ['batch.finished'] },
    answers: withSecret,
  }),
  changeWebhook: defineRoute('PATCH', '/api/webhooks/:id', {
    tag,
    scope,
    summary: 'Changes address and events of a webhook, or switches it on or off',
    params,
    body: changeWebhookSchema,
    answers: { 200: json(success({ webhook: webhookSchema }), 'The webhook') },
    errors: ['NOT_FOUND'],
  }),
  deleteWebhook: defineRoute('DELETE', '/api/webhooks/:id', {
    tag,
    scope,
    summary: 'Deletes a webhook and its log; waiting events are not sent',
    params,
    answers: ok({ message: z.string() }, 'Deleted'),
    errors: ['NOT_FOUND'],
  }),
  rotateWebhookSecret: defineRoute('POST', '/api/webhooks/:id/rotate', {
    tag,
    scope,
    summary: 'Replaces the keys of a webhook',
    description: `Requests have signatures of both the old and the new keys for ${WEBHOOK_ROTATION_HOURS} hours.`,
    params,
    answers: withSecret,
    errors: ['NOT_FOUND'],
  }),
  testWebhook: defineRoute('POST', '/api/webhooks/:id/test', {
    tag,
    scope,
    summary: 'Sends a test event',
    description: `At most ${MAX_MANUAL_DELIVERIES} a minute, with deliveries sent again.`,
    params,
    answers: { 200: oneDelivery },
    errors: ['NOT_FOUND'],
  }),
  listWebhookDeliveries: defineRoute('GET', '/api/webhooks/:id/deliveries', {
    tag,
    scope,
    summary: `The deliveries of a webhook in the last ${WEBHOOK_LOG_DAYS} days, newest first`,
    params,
    query: deliveryListQuerySchema,
    answers: page({ deliveries: z.array(webhookDeliverySchema) }, 'A page of deliveries'),
    errors: ['NOT_FOUND'],
  }),
  getWebhookDelivery: defineRoute('GET', '/api/webhooks/:id/deliveries/:deliveryId', {
    tag,
    scope,
    summary: 'A delivery with its requests and their answers',
    params: deliveryParams,
    answers: { 200: json(success({ delivery: webhookDeliveryDetailsSchema }), 'The delivery') },
    errors: ['NOT_FOUND'],
  }),
  resendWebhookDelivery: defineRoute('POST', '/api/webhooks/:id/deliveries/:deliveryId/resend', {
    tag,
    scope,
    summary: 'Sends a delivery again, with the same id',
    params: deliveryParams,
    answers: { 200: oneDelivery },
    errors: ['NOT_FOUND'],
  }),
};
