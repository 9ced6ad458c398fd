import { Raw, type DataSource } from 'typeorm';
import { WEBHOOK_MAX_RESPONSES } from '#libs/contract/webhooks.js';
import {
  WebhookAttemptEntity,
  WebhookDeliveryEntity,
  WebhookEntity,
} from '#libs/database/entities/webhooks.js';
import { execute, queryEntities, type Database, type Transaction } from '#libs/database/sql.js';
import { nextDelayMs, offReasonAfter, pauseMs, retryAfterMs } from './delivery-schedule.js';
import type { WebhookRequestResult } from './webhook-request.js';

/** An attempt ends within 20 s. After this time its worker was killed, and another one starts the next attempt. */
const LEASE_SECONDS = 60;
/** Maximum deliveries of one webhook per claim, so that a slow receiver keeps few connections open. */
const PER_WEBHOOK = 4;

export interface ClaimLimits {
  webhooks: number;
  /** Webhooks and users that have enough requests open here. */
  busyWebhookIds: string[];
  busyUserIds: string[];
}

/**
 * Claims due deliveries: of one webhook for each user, in random order of users, so that no user delays the others for long.
 */
export async function claimDeliveries(
  database: Database,
  { webhooks, busyWebhookIds, busyUserIds }: ClaimLimits,
): Promise<WebhookDeliveryEntity[]> {
  return queryEntities(
    database,
    WebhookDeliveryEntity,
    `WITH due AS (
       SELECT id FROM (
         SELECT DISTINCT ON (user_id) id FROM webhooks
         WHERE off_reason IS NULL AND coalesce(not_before <= now(), true)
           AND id <> ALL ($1::uuid[]) AND user_id <> ALL ($2::text[])
           AND EXISTS (SELECT FROM webhook_deliveries
             WHERE webhook_id = webhooks.id AND status = 'pending' AND next_attempt_at <= now())
         ORDER BY user_id, random()) AS of_users
       ORDER BY random() LIMIT $3
     ), chosen AS (
       SELECT deliveries.id FROM due CROSS JOIN LATERAL (
         SELECT id FROM webhook_deliveries
         WHERE webhook_id = due.id AND status = 'pending' AND next_attempt_at <= now()
         ORDER BY next_attempt_at LIMIT ${PER_WEBHOOK} FOR UPDATE SKIP LOCKED) AS deliveries
     )
     UPDATE webhook_deliveries
     SET attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${LEASE_SECONDS})
     FROM chosen WHERE webhook_deliveries.id = chosen.id RETURNING webhook_deliveries.*`,
    [busyWebhookIds, busyUserIds, webhooks],
  );
}

export interface FinishedAttempt extends WebhookRequestResult {
  sentAt: Date;
  milliseconds: number;
}

/**
 * Records the result of an attempt, and plans the next one.
 * @param random from 0 to 1
 * @returns the webhook if this failure switched it off
 */
export function recordAttempt(
  dataSource: DataSource,
  { id, webhookId, attempts: n }: WebhookDeliveryEntity,
  { answer, error, response, sentAt, milliseconds }: FinishedAttempt,
  random: number,
): Promise<WebhookEntity | null> {
  return dataSource.transaction(async (transaction) => {
    // Locks the webhook first, as {@link switchOff} does.
    const webhook = await transaction.findOne(WebhookEntity, {
      where: { id: webhookId },
      lock: { mode: 'for_no_key_update' },
    });
    const delivery = webhook && (await transaction.findOneBy(WebhookDeliveryEntity, { id, attempts: n }));
    // The webhook was deleted, or another worker has started the next attempt.
    if (!delivery) return null;
    await transaction.insert(WebhookAttemptEntity, {
      deliveryId: id,
      n,
      webhookId,
      sentAt,
      milliseconds,
      status: answer?.status ?? null,
      error,
      response,
    });
    if (response !== '') await clearOldResponses(transaction, webhookId);
    if (error === null) {
      await transaction.update(WebhookDeliveryEntity, { id }, { status: 'succeeded' });
      await transaction.update(
        WebhookEntity,
        { id: webhookId },
        { failures: 0, failingSince: null, notBefore: null, lastSuccessAt: () => 'now()' },
      );
      return null;
    }
    const isLeased = await transaction.existsBy(WebhookDeliveryEntity, {
      id,
      nextAttemptAt: Raw((column) => `${column} > clock_timestamp()`),
    });
    // It is due again: its webhook was switched on after this attempt was sent, and an old 410 must not switch it off.
    if (!isLeased) return null;
    const now = Date.now();
    const failures = delivery.failures + 1;
    const delay = nextDelayMs(failures, random, retryAfterMs(answer?.retryAfter ?? null, now));
    await transaction.update(
      WebhookDeliveryEntity,
      { id },
      delay === null ? { status: 'failed', failures } : { failures, nextAttemptAt: inMilliseconds(delay) },
    );
    const pause = pauseMs(answer, now);
    const failing = {
      failures: webhook.failures + 1,
      failingSince: webhook.failingSince ?? sentAt,
      ...(pause > 0 && { notBefore: inMilliseconds(pause) }),
    };
    await transaction.update(WebhookEntity, { id: webhookId }, failing);
    const offReason = webhook.offReason === null ? offReasonAfter(answer, failing, now) : null;
    if (offReason === null) return null;
    await switchOff(transaction, webhookId, offReason);
    return { ...webhook, offReason };
  });
}

/** Keeps the newest answers of a webhook, and the rest's status and time. */
const clearOldResponses = (transaction: Transaction, webhookId: string): Promise<number> =>
  execute(
    transaction,
    `UPDATE webhook_attempts SET response = '' WHERE (delivery_id, n) IN (
       SELECT delivery_id, n FROM webhook_attempts WHERE webhook_id = $1 AND response <> ''
       ORDER BY sent_at DESC OFFSET ${WEBHOOK_MAX_RESPONSES})`,
    [webhookId],
  );

const inMilliseconds = (milliseconds: number) => () =>
  `now() + make_interval(secs => ${Math.ceil(milliseconds) / 1_000})`;

/** Switches a webhook off. Its waiting deliveries wait until it is on again. */
export async function switchOff(
  transaction: Transaction,
  id: string,
  offReason: NonNullable<WebhookEntity['offReason']>,
): Promise<void> {
  await transaction.update(WebhookEntity, { id }, { offReason });
  await transaction.update(WebhookDeliveryEntity, { webhookId: id, status: 'pending' }, { status: 'paused' });
}

/** Switches a webhook on, and sends what waited. */
export async function switchOn(transaction: Transaction, id: string): Promise<void> {
  await transaction.update(
    WebhookEntity,
    { id },
    { offReason: null, failures: 0, failingSince: null, notBefore: null },
  );
  await transaction.update(
    WebhookDeliveryEntity,
    { webhookId: id, status: 'paused' },
    { status: 'pending', failures: 0, nextAttemptAt: () => 'now()' },
  );
}
