import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When programs last wrote, and alerts were last read and sent. */
@Entity('heartbeats')
export class HeartbeatEntity {
  /**
   * `api`, `worker`: a program of this kind wrote to the database. `alerts`: conditions were read. `alerts-mail`,
   * `alerts-webhook`: a message was sent.
   */
  @PrimaryColumn('text')
  name!: string;

  @Column('timestamptz')
  beatAt!: Date;
}
