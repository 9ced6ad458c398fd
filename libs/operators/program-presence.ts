import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { programId } from '#libs/config/program-id.js';
import { version } from '#libs/config/version.js';
import { ProgramEntity } from '#libs/database/entities/operations.js';
import { execute, type Database } from '#libs/database/sql.js';
import { recentErrors } from '#libs/observability/recent-errors.js';

const WRITE_EVERY_MS = 5_000;

/** Records that this program runs, with its version and its last errors, so that operators see it. */
export class ProgramPresence implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('ProgramPresence');
  private readonly startedAt = new Date();
  private timer: NodeJS.Timeout | undefined;
  private written: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly kind: ProgramEntity['kind'],
  ) {}

  onApplicationBootstrap(): void {
    this.write();
    this.timer = setInterval(() => this.write(), WRITE_EVERY_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.written;
    await this.programs.delete({ id: programId }).catch((error: Error) => this.logger.warn(error.message));
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
