import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When something that should happen regularly last happened. */
@Entity('heartbeats')
export class HeartbeatEntity {
  /**
   * `api`, `worker`: a program of this kind wrote to the database. `retention`: it has run. `alerts`: conditions were read.
   * `alerts-mail`, `alerts-webhook`: a message was sent.
   */
  @PrimaryColumn('text')
  name!: string;

  @Column('timestamptz')
  beatAt!: Date;
}
