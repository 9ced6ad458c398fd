import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { z } from 'zod';
import { lockUser } from '#libs/accounts/lock-user.js';
import { systemClock, type Clock } from '#libs/config/clock.js';
import { AppError } from '#libs/contract/errors.js';
import { requireStorable } from '#libs/contract/validation.js';
import {
  deliveryNotFound,
  MAX_WEBHOOKS,
  WEBHOOK_ROTATION_HOURS,
  webhookNotFound,
  type ChangeWebhook,
  type DeliveryListQuery,
  type NewWebhook,
  type Webhook,
  type WebhookDelivery,
  type WebhookDeliveryDetails,
  type WebhookEvent,
} from '#libs/contract/webhooks.js';
import { decodeCursor, encodeCursor } from '#libs/database/cursor.js';
import {
  WebhookAttemptEntity,
  WebhookDeliveryEntity,
  WebhookEntity,
} from '#libs/database/entities/webhooks.js';
import { queryRows, type Transaction } from '#libs/database/sql.js';
import { requirePublicUrl } from '#libs/outbound/public-fetch.js';
import { createWebhookKeys, publicKeyText, secretText } from './signatures.js';
import { switchOff, switchOn } from './webhook-deliveries.js';

/** Creates and changes the webhooks of users. Webhooks of other users throw NOT_FOUND. */
export class Webhooks {
  /** @param allowedNetworks inside networks to which webhooks may be sent */
  constructor(
    private readonly dataSource: DataSource,
    private readonly allowedNetworks: readonly string[],
    private readonly clock: Clock = systemClock,
  ) {}

  async list(userId: string): Promise<Webhook[]> {
    const webhooks = await this.dataSource
      .getRepository(WebhookEntity)
      .find({ where: { userId }, order: { createdAt: 'DESC', id: 'ASC' } });
    return webhooks.map((webhook) => this.toWebhook(webhook));
  }

  /** @throws AppError VALIDATION_FAILED if the address is not public or the user has too many webhooks */
  async create(userId: string, { url, events }: NewWebhook): Promise<{ webhook: Webhook; secret: string }> {
    this.requireAllowed(url);
    const id = randomUUID();
    const keys = createWebhookKeys();
    await this.dataSource.transaction(async (transaction) => {
      await lockUser(transaction, userId);
      if ((await transaction.countBy(WebhookEntity, { userId })) >= MAX_WEBHOOKS)
        throw new AppError('VALIDATION_FAILED', `You have ${MAX_WEBHOOKS} webhooks. Delete one first.`);
      await transaction.insert(WebhookEntity, { id, userId, url, events, ...keys });
    });
    return { webhook: await this.get(userId, id), secret: secretText(keys) };
  }

  /** @throws AppError NOT_FOUND, VALIDATION_FAILED if the address is not public */
  async change(userId: string, id: string, { isOn, ...settings }: ChangeWebhook): Promise<Webhook> {
    if (settings.url !== undefined) this.requireAllowed(settings.url);
    await this.dataSource.transaction(async (transaction) => {
      const webhook = await lockWebhook(transaction, userId, id);
      if (Object.keys(settings).length > 0) await transaction.update(WebhookEntity, { id }, settings);
      if (isOn === true && webhook.offReason !== null) await switchOn(transaction, id);
      if (isOn === false && webhook.offReason === null) await switchOff(transaction, id, 'owner');
    });
    return this.get(userId, id);
  }

  /** @throws AppError NOT_FOUND */
  async delete(userId: string, id: string): Promise<void> {
    const { affected } = await this.dataSource.getRepository(WebhookEntity).delete({ id, userId });
    if (!affected) throw webhookNotFound();
  }

  /** Replaces the keys. The old ones sign too, for a day. @throws AppError NOT_FOUND */
  async rotate(userId: string, id: string): Promise<{ webhook: Webhook; secret: string }> {
    const keys = createWebhookKeys();
    await this.dataSource.transaction(async (transaction) => {
      const { secret, signingKey } = await lockWebhook(transaction, userId, id);
      await transaction.update(
        WebhookEntity,
        { id },
        {
          ...keys,
          previousSecret: secret,
          previousSigningKey: signingKey,
          rotatedAt: new Date(this.clock.now()),
        },
      );
    });
    return { webhook: await this.get(userId, id), secret: secretText(keys) };
  }

  /** @throws AppError NOT_FOUND, VALIDATION_FAILED if the webhook is off */
  async sendTest(userId: string, id: string): Promise<WebhookDelivery> {
    const payload: WebhookEvent = {
      type: 'webhook.test',
      timestamp: new Date(this.clock.now()).toISOString(),
      data: { webhookId: id },
    };
    const deliveryId = randomUUID();
    await this.dataSource.transaction(async (transaction) => {
      requireOn(await lockWebhook(transaction, userId, id));
      await transaction.insert(WebhookDeliveryEntity, {
        id: deliveryId,
        webhookId: id,
        type: payload.type,
        payload: JSON.stringify(payload),
      });
    });
    return this.getDelivery(id, deliveryId);
  }

  /** @throws AppError NOT_FOUND, VALIDATION_FAILED if the webhook is off */
  async resend(userId: string, id: string, deliveryId: string): Promise<WebhookDelivery> {
    await this.dataSource.transaction(async (transaction) => {
      requireOn(await lockWebhook(transaction, userId, id));
      const { affected } = await transaction.update(
        WebhookDeliveryEntity,
        { id: deliveryId, webhookId: id },
        { status: 'pending', failures: 0, nextAttemptAt: () => 'now()' },
      );
      if (!affected) throw deliveryNotFound();
    });
    return this.getDelivery(id, deliveryId);
  }

  /** @throws AppError NOT_FOUND, VALIDATION_FAILED if the cursor is invalid */
  async listDeliveries(
    userId: string,
    id: string,
    { status, cursor, limit }: DeliveryListQuery,
  ): Promise<{ deliveries: WebhookDelivery[]; nextCursor: string | null }> {
    await this.find(userId, id);
    const after = cursor === undefined ? null : decodeCursor(cursor);
    const rows = await queryRows(
      this.dataSource,
      deliveryRowSchema,
      `${READ_DELIVERIES} WHERE webhook_id = $1 AND ($2::text IS NULL OR deliveries.status = $2)
         AND ($3::timestamptz IS NULL OR (created_at, deliveries.id) < ($3, $4::uuid))
       ORDER BY created_at DESC, deliveries.id DESC LIMIT $5::integer + 1`,
      [id, status ?? null, after?.time ?? null, after?.id ?? null, limit],
    );
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      deliveries: page.map(toDelivery),
      nextCursor: rows.length > limit && last ? encodeCursor(last.createdAt, last.id) : null,
    };
  }

  /** @throws AppError NOT_FOUND */
  async readDelivery(userId: string, id: string, deliveryId: string): Promise<WebhookDeliveryDetails> {
    await this.find(userId, id);
    const delivery = await this.dataSource
      .getRepository(WebhookDeliveryEntity)
      .findOneBy({ id: deliveryId, webhookId: id });
    if (!delivery) throw deliveryNotFound();
    const log = await this.dataSource
      .getRepository(WebhookAttemptEntity)
      .find({ where: { deliveryId }, order: { n: 'DESC' } });
    return {
      ...deliveryFields(delivery),
      payload: delivery.payload,
      log: log.map(({ n, sentAt, milliseconds, status, error, response }) => ({
        n,
        sentAt: sentAt.toISOString(),
        milliseconds,
        status,
        error,
        response,
      })),
    };
  }

  private async getDelivery(id: string, deliveryId: string): Promise<WebhookDelivery> {
    const [row] = await queryRows(
      this.dataSource,
      deliveryRowSchema,
      `${READ_DELIVERIES} WHERE webhook_id = $1 AND deliveries.id = $2`,
      [id, deliveryId],
    );
    if (!row) throw deliveryNotFound();
    return toDelivery(row);
  }

  private async get(userId: string, id: string): Promise<Webhook> {
    return this.toWebhook(await this.find(userId, id));
  }

  private async find(userId: string, id: string): Promise<WebhookEntity> {
    const webhook = await this.dataSource.getRepository(WebhookEntity).findOneBy({ id, userId });
    if (!webhook) throw webhookNotFound();
    return webhook;
  }

  private requireAllowed(url: string): void {
    requireStorable({ url });
    try {
      requirePublicUrl(url, this.allowedNetworks);
    } catch (cause) {
      const message = 'Give an address that is public and starts with https://.';
      throw new AppError('VALIDATION_FAILED', message, { details: [{ field: 'url', message }], cause });
    }
  }

  private toWebhook(webhook: WebhookEntity): Webhook {
    const { id, url, events, offReason, rotatedAt, failingSince, lastSuccessAt, createdAt } = webhook;
    const rotatedUntil = rotatedAt && new Date(rotatedAt.getTime() + WEBHOOK_ROTATION_HOURS * 3_600_000);
    return {
      id,
      url,
      events,
      isOn: offReason === null,
      offReason,
      publicKey: publicKeyText(webhook),
      rotatedUntil:
        rotatedUntil && rotatedUntil.getTime() > this.clock.now() ? rotatedUntil.toISOString() : null,
      failingSince: failingSince?.toISOString() ?? null,
      lastSuccessAt: lastSuccessAt?.toISOString() ?? null,
      createdAt: createdAt.toISOString(),
    };
  }
}

async function lockWebhook(transaction: Transaction, userId: string, id: string): Promise<WebhookEntity> {
  const webhook = await transaction.findOne(WebhookEntity, {
    where: { id, userId },
    lock: { mode: 'for_no_key_update' },
  });
  if (!webhook) throw webhookNotFound();
  return webhook;
}

function requireOn({ offReason }: WebhookEntity): void {
  if (offReason !== null) throw new AppError('VALIDATION_FAILED', 'This webhook is off. Switch it on first.');
}

const deliveryRowSchema = z.object({
  id: z.string(),
  type: z.string(),
  status: z.enum(['pending', 'succeeded', 'failed', 'paused']),
  attempts: z.number(),
  nextAttemptAt: z.date(),
  createdAt: z.date(),
  /** Null if no attempt has ended. */
  n: z.number().nullable(),
  answerStatus: z.number().nullable(),
  error: z.string().nullable(),
});

const READ_DELIVERIES = `
  SELECT deliveries.id, type, deliveries.status, attempts, next_attempt_at AS "nextAttemptAt",
    created_at AS "createdAt", n, latest.status AS "answerStatus", error
  FROM webhook_deliveries deliveries LEFT JOIN LATERAL (
    SELECT n, status, error FROM webhook_attempts WHERE delivery_id = deliveries.id ORDER BY n DESC LIMIT 1
  ) AS latest ON true`;

const deliveryFields = ({
  id,
  type,
  status,
  attempts,
  nextAttemptAt,
  createdAt,
}: Pick<WebhookDeliveryEntity, 'id' | 'status' | 'attempts' | 'nextAttemptAt' | 'createdAt'> & {
  type: string;
}) => ({
  id,
  type,
  status,
  attempts,
  nextAttemptAt: status === 'pending' ? nextAttemptAt.toISOString() : null,
  createdAt: createdAt.toISOString(),
});

const toDelivery = ({
  n,
  answerStatus,
  error,
  ...row
}: z.infer<typeof deliveryRowSchema>): WebhookDelivery => ({
  ...deliveryFields(row),
  lastAttempt: n === null ? null : { status: answerStatus, error },
});
