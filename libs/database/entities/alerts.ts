import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

export type AlertStatus = 'pending' | 'firing' | 'resolved';

/** What a receiver was told last. */
export interface SentNotification {
  status: 'firing' | 'resolved';
  /** ISO 8601. */
  at: string;
}

/** An alert of the programs themselves. It is deleted when its receivers know that it is resolved. */
@Entity('alerts')
@Check('alerts_status', `status IN ('pending', 'firing', 'resolved')`)
export class AlertEntity {
  /** Name and labels. */
  @PrimaryColumn('text')
  key!: string;

  /** A key of `alertRules` in libs/alerts, perhaps of another version. */
  @Column('text')
  name!: string;

  @Column('jsonb')
  labels!: Record<string, string>;

  @Column('text')
  summary!: string;

  @Column('text', { default: 'pending' })
  status!: AlertStatus;

  @Column('timestamptz', { default: () => 'now()' })
  startsAt!: Date;

  /** When a program last saw that the condition holds. */
  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;

  @Column('timestamptz', { nullable: true })
  endsAt!: Date | null;

  @Column('jsonb', { default: {} })
  sent!: Partial<Record<'mail' | 'webhook', SentNotification>>;
}
