import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Payloads larger than PostgreSQL's limit of 8,000 bytes for NOTIFY. Written by @socket.io/postgres-adapter. */
@Entity('socket_io_attachments')
export class SocketIoAttachmentEntity {
  @PrimaryGeneratedColumn('increment', { type: 'bigint' })
  id!: string;

  @Column('timestamptz', { nullable: true, default: () => 'now()' })
  createdAt!: Date | null;

  @Column('bytea', { nullable: true })
  payload!: Buffer | null;
}
