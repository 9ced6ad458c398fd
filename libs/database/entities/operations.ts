import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

export interface LoggedError {
  /** ISO 8601. */
  at: string;
  message: string;
}

/** A running api or worker. */
@Entity('programs')
export class ProgramEntity {
  /** Host and process id. */
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  kind!: 'api' | 'worker';

  @Column('text')
  version!: string;

  @Column('timestamptz')
  startedAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;

  /** Its last warnings and errors, the newest first. */
  @Column('jsonb', { default: [] })
  errors!: LoggedError[];
}

/** The worker that runs the maintenance tasks of all. At most one row. */
@Entity('maintenance_leader')
@Check('maintenance_leader_id_check', 'id')
export class MaintenanceLeaderEntity {
  @PrimaryColumn('boolean', { default: true })
  id!: boolean;

  /** Id of the program. */
  @Column('text')
  program!: string;

  @Column('timestamptz')
  until!: Date;
}

/** Last run of a maintenance task. */
@Entity('maintenance_tasks')
export class MaintenanceTaskEntity {
  @PrimaryColumn('text')
  name!: string;

  @Column('text')
  program!: string;

  /** End of the last run that succeeded, or of the first run if none did. */
  @Column('timestamptz')
  ranAt!: Date;

  @Column('integer')
  milliseconds!: number;

  /** Why the last run failed. */
  @Column('text', { nullable: true })
  error!: string | null;
}
