import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Payloads over PostgreSQL's 8,000 bytes for NOTIFY, as @socket.io/postgres-adapter stores them. */
@Entity('socket_io_attachments')
export class SocketIoAttachmentEntity {
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  id!: string;

  @Column('timestamptz', { nullable: true, default: () => 'now()' })
  createdAt!: Date | null;

  @Column('bytea', { nullable: true })
  payload!: Buffer | null;
}
