import {
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { programId } from '#libs/config/program-id.js';
import { version } from '#libs/config/version.js';
import { ProgramEntity } from '#libs/database/entities/operations.js';
import { execute, type Database } from '#libs/database/sql.js';
import { settleWithin } from '#libs/resilience/policies.js';
import { recentErrors } from '#libs/observability/recent-errors.js';

const WRITE_EVERY_MS = 5_000;
/** Maximum milliseconds that a stopping program spends on deleting its row. */
const DELETE_WITHIN_MS = 1_000;

/** Records that this program runs, with its version and its last errors, so that operators see it. */
export class ProgramPresence implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  private readonly logger = new Logger('ProgramPresence');
  private readonly startedAt = new Date();
  private timer: NodeJS.Timeout | undefined;
  private written: Promise<void> = Promise.resolve();
  private deleted: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly kind: ProgramEntity['kind'],
  ) {}

  onApplicationBootstrap(): void {
    this.write();
    this.timer = setInterval(() => this.write(), WRITE_EVERY_MS);
  }

  /** Starts the deletion, so that other modules stop meanwhile. */
  onModuleDestroy(): void {
    clearInterval(this.timer);
    const deleted = this.written.then(() => this.programs.delete({ id: programId }));
    this.deleted = settleWithin(DELETE_WITHIN_MS, () => deleted).catch((error: Error) =>
      this.logger.warn(error.message),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.deleted;
  }

  private get programs() {
    return this.dataSource.getRepository(ProgramEntity);
  }

  private write(): void {
    const { kind, startedAt } = this;
    const program = { id: programId, kind, version, startedAt, errors: recentErrors() };
    this.written = this.programs.upsert({ ...program, seenAt: () => 'now()' }, ['id']).then(
      () => undefined,
      (error: Error) => this.logger.warn(error.message),
    );
  }
}

/** Deletes programs that ended without saying so. */
export const deletePastPrograms = (database: Database): Promise<number> =>
  execute(database, `DELETE FROM programs WHERE seen_at < now() - interval '1 day'`);
