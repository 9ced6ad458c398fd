import { In, type DataSource } from 'typeorm';
import { systemClock, type Clock } from '#libs/config/clock.js';
import { WEBHOOK_ROTATION_HOURS } from '#libs/contract/webhooks.js';
import { UserEntity } from '#libs/database/entities/users.js';
import { WebhookEntity, type WebhookDeliveryEntity } from '#libs/database/entities/webhooks.js';
import type { Mailer } from '#libs/mail/mailer.js';
import type { PublicFetch } from '#libs/outbound/public-fetch.js';
import { settleWithin } from '#libs/resilience/policies.js';
import type { WebhookKeys } from './signatures.js';
import { claimDeliveries, recordAttempt } from './webhook-deliveries.js';
import { webhookOffMail } from './webhook-mails.js';
import { sendWebhookRequest } from './webhook-request.js';

/** Webhooks with requests of this worker, at most. */
const WEBHOOKS_AT_ONCE = 50;
const WEBHOOKS_PER_USER = 2;
/** Maximum milliseconds that a stopping worker waits for answers. */
const FINISH_WITHIN_MS = 3_000;

export interface WebhookSenderDeps {
  dataSource: DataSource;
  publicFetch: PublicFetch;
  /** Null if no mail server is configured. */
  mailer: Pick<Mailer, 'send'> | null;
  publicUrl: string;
  onError: (error: Error) => void;
  clock?: Clock;
  /** A number from 0 to 1. */
  random?: () => number;
}

/**
 * Sends deliveries. The rows are the queue: workers claim them with a lease, so the delivery of a killed worker is sent
 * again, with the same id.
 */
export class WebhookSender {
  /** Webhooks with open requests, with their users. */
  private readonly sending = new Map<string, { userId: string; done: Promise<void> }>();
  private lastPass: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();
  private readonly clock: Clock;
  private readonly random: () => number;

  constructor(private readonly deps: WebhookSenderDeps) {
    this.clock = deps.clock ?? systemClock;
    this.random = deps.random ?? Math.random;
  }

  /** Starts the requests that are due. Passes run one after another, so that each sees the requests of the one before. */
  pass(): Promise<void> {
    const pass = this.lastPass.then(() => this.startDue());
    this.lastPass = pass.catch(() => undefined);
    return pass;
  }

  private async startDue(): Promise<void> {
    while (!this.stopping.signal.aborted && this.sending.size < WEBHOOKS_AT_ONCE) {
      const deliveries = await claimDeliveries(this.deps.dataSource, {
        webhooks: WEBHOOKS_AT_ONCE - this.sending.size,
        busyWebhookIds: [...this.sending.keys()],
        busyUserIds: this.busyUserIds(),
      });
      if (deliveries.length === 0) return;
      const webhooks = await this.deps.dataSource
        .getRepository(WebhookEntity)
        .findBy({ id: In(deliveries.map(({ webhookId }) => webhookId)) });
      for (const webhook of webhooks)
        this.sendAll(
          webhook,
          deliveries.filter(({ webhookId }) => webhookId === webhook.id),
        );
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    const open = () => Promise.all([...this.sending.values()].map(({ done }) => done));
    await settleWithin(FINISH_WITHIN_MS, open).catch(() => undefined);
    this.stopping.abort();
    await open();
  }

  private busyUserIds(): string[] {
    const userIds = [...this.sending.values()].map(({ userId }) => userId);
    return [...new Set(userIds)].filter(
      (id) => userIds.filter((other) => other === id).length >= WEBHOOKS_PER_USER,
    );
  }

  private sendAll(webhook: WebhookEntity, deliveries: WebhookDeliveryEntity[]): void {
    const done = Promise.all(
      deliveries.map((delivery) => this.send(webhook, delivery).catch((error: Error) => this.onError(error))),
    )
      .finally(() => this.sending.delete(webhook.id))
      .then(() => this.pass())
      .catch((error: Error) => this.onError(error));
    this.sending.set(webhook.id, { userId: webhook.userId, done });
  }

  private async send(webhook: WebhookEntity, delivery: WebhookDeliveryEntity): Promise<void> {
    const { dataSource, publicFetch } = this.deps;
    const sentAt = new Date(this.clock.now());
    const started = this.clock.elapsed();
    const message = {
      id: delivery.id,
      timestamp: Math.floor(sentAt.getTime() / 1_000),
      body: delivery.payload,
    };
    const keys = keysAt(webhook, sentAt);
    const result = await sendWebhookRequest(publicFetch, webhook.url, message, keys, this.stopping.signal);
    const milliseconds = Math.round(this.clock.elapsed() - started);
    const attempt = { ...result, sentAt, milliseconds };
    const switchedOff = await recordAttempt(dataSource, delivery, attempt, this.random());
    if (switchedOff) await this.mailOwner(switchedOff);
  }

  private async mailOwner(webhook: WebhookEntity): Promise<void> {
    const { dataSource, mailer, publicUrl } = this.deps;
    if (mailer === null) return;
    const user = await dataSource.getRepository(UserEntity).findOneBy({ id: webhook.userId });
    if (user?.email) mailer.send('webhook off', webhookOffMail(user.email, user.name, webhook, publicUrl));
  }

  private onError(error: Error): void {
    if (!this.stopping.signal.aborted) this.deps.onError(error);
  }
}

/** The keys that sign: for a day after a rotation also the ones before. */
function keysAt(webhook: WebhookEntity, time: Date): WebhookKeys[] {
  const { previousSecret: secret, previousSigningKey: signingKey, rotatedAt } = webhook;
  const isRotating =
    rotatedAt !== null && time.getTime() - rotatedAt.getTime() < WEBHOOK_ROTATION_HOURS * 3_600_000;
  return isRotating && secret && signingKey ? [webhook, { secret, signingKey }] : [webhook];
}
