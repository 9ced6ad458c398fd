import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { WebhookEventType, WebhookOffReason } from '#libs/contract/webhooks.js';
import { OwnedEntity } from './owned-row.js';

/** An address of a user to which events are sent. */
@Entity('webhooks')
@Check('webhooks_off_reason', `off_reason IN ('owner', 'gone', 'failing')`)
@Index('webhooks_user', ['userId'])
export class WebhookEntity extends OwnedEntity {
  @Column('text')
  url!: string;

  @Column('text', { array: true })
  events!: WebhookEventType[];

  /** Null while it is on. */
  @Column('text', { nullable: true })
  offReason!: WebhookOffReason | null;

  /** Key of HMAC-SHA256: 32 random bytes. */
  @Column('bytea')
  secret!: Buffer;

  /** Private key of Ed25519, as PKCS #8 in DER. */
  @Column('bytea')
  signingKey!: Buffer;

  /** Keys before the rotation. Requests are signed with them too, for a day. */
  @Column('bytea', { nullable: true })
  previousSecret!: Buffer | null;

  @Column('bytea', { nullable: true })
  previousSigningKey!: Buffer | null;

  @Column('timestamptz', { nullable: true })
  rotatedAt!: Date | null;

  /** Nothing is sent before this time, since the receiver answered that it is overloaded. */
  @Column('timestamptz', { nullable: true })
  notBefore!: Date | null;

  /** Time of the first failure since the last success. Null after a success. */
  @Column('timestamptz', { nullable: true })
  failingSince!: Date | null;

  /** Failed attempts since the last success. */
  @Column('integer', { default: 0 })
  failures!: number;

  @Column('timestamptz', { nullable: true })
  lastSuccessAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

/**
 * A change that webhooks may report, written by triggers. `job` and `flow` ended; `batch` and `flow-step` may have ended
 * their batch or flow.
 */
@Entity('webhook_events')
@Index('webhook_events_subject', ['kind', 'subject'])
export class WebhookEventEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('text')
  kind!: 'job' | 'batch' | 'flow' | 'flow-step';

  /** Id of the job, batch or flow. */
  @Column('uuid')
  subject!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}

/** An event for one webhook. The row is the queue entry, the payload and the log. */
@Entity('webhook_deliveries')
@Check('webhook_deliveries_status', `status IN ('pending', 'succeeded', 'failed', 'paused')`)
@Index('webhook_deliveries_due', ['nextAttemptAt'], { where: `status = 'pending'` })
@Index('webhook_deliveries_newest', ['webhookId', 'createdAt', 'id'])
@Index('webhook_deliveries_waiting', ['webhookId', 'nextAttemptAt'], { where: `status = 'pending'` })
export class WebhookDeliveryEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey(() => WebhookEntity, { onDelete: 'CASCADE' })
  webhookId!: string;

  @Column('text')
  type!: WebhookEventType | 'webhook.test';

  /** Body of the request. The same in each attempt. */
  @Column('text')
  payload!: string;

  /** `paused` while the webhook is off. */
  @Column('text', { default: 'pending' })
  status!: 'pending' | 'succeeded' | 'failed' | 'paused';

  @Column('integer', { default: 0 })
  attempts!: number;

  /** Failed attempts since the delivery was created or sent again by hand. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** While an attempt runs, the time after which another worker may start the next one. */
  @Column('timestamptz', { default: () => 'now()' })
  nextAttemptAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

/** One request to a receiver. */
@Entity('webhook_attempts')
@Index('webhook_attempts_answers', ['webhookId', 'sentAt'], { where: `response <> ''` })
export class WebhookAttemptEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => WebhookDeliveryEntity, { onDelete: 'CASCADE' })
  deliveryId!: string;

  @PrimaryColumn('integer')
  n!: number;

  /** Null for attempts before version 0.3. */
  @Column('uuid', { nullable: true })
  webhookId!: string | null;

  @Column('timestamptz')
  sentAt!: Date;

  @Column('integer')
  milliseconds!: number;

  /** HTTP status of the answer. Null if there was none. */
  @Column('integer', { nullable: true })
  status!: number | null;

  /** Reason of a failure. Null after a success. */
  @Column('text', { nullable: true })
  error!: string | null;

  /** Beginning of the answer's body. Empty for older ones than the newest of the webhook. */
  @Column('text', { default: '' })
  response!: string;
}
