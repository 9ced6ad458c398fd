import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When something that should happen regularly last happened. */
@Entity('heartbeats')
export class HeartbeatEntity {
  /** `api` and `worker`: a program of this kind wrote to the database. */
  @PrimaryColumn('text')
  name!: string;

  @Column('timestamptz')
  beatAt!: Date;
}
