import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ClerkSync } from '#libs/accounts/clerk/sync.js';
import type { Config } from '#libs/config/environment.js';
import { WorkerSlotsEntity } from '#libs/database/entities/jobs.js';
import { removeUnusedDocuments } from '#libs/documents/create-documents.js';
import { QUEUE_ORDER_PASS_SECONDS, QueueOrder } from '#libs/jobs/queue-order.js';
import { QueuePauses } from '#libs/jobs/queue-pauses.js';
import { Reconciler } from '#libs/jobs/reconciler.js';
import { applyRetention } from '#libs/jobs/retention.js';
import { CONFIG } from '#libs/config/config.module.js';
import { StoredFiles } from '#libs/storage/stored-files.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** What every worker does beside its jobs, again and again. Each task is safe in any number of workers at once. */
@Injectable()
export class Maintenance implements OnModuleDestroy {
  private readonly logger = new Logger('Maintenance');
  private readonly workerId = randomUUID();
  private readonly timers: NodeJS.Timeout[] = [];
  /** The newest report of slots, also while it is under way. */
  private reported: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: DataSource,
    private readonly reconciler: Reconciler,
    private readonly order: QueueOrder,
    private readonly pauses: QueuePauses,
    private readonly files: StoredFiles,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(ClerkSync) private readonly clerk: ClerkSync | null,
  ) {}

  start(): void {
    this.every(5 * SECOND, () => (this.reported = this.reportSlots()));
    this.every(3 * SECOND, () => this.reconcile());
    this.every(3 * SECOND, () => this.pauses.sync());
    this.every(QUEUE_ORDER_PASS_SECONDS * SECOND, () => this.order.pass());
    const { clerk } = this;
    if (clerk) this.every(2 * SECOND, () => clerk.pass());
    this.every(HOUR, () => applyRetention(this.dataSource, this.files));
    this.every(HOUR, () => removeUnusedDocuments(this.dataSource));
  }

  async onModuleDestroy(): Promise<void> {
    this.timers.forEach(clearInterval);
    // One under way would come after, and tell of slots that are gone.
    await this.reported.catch(() => undefined);
    await this.dataSource
      .getRepository(WorkerSlotsEntity)
      .delete({ workerId: this.workerId })
      .catch(() => undefined);
  }

  private async reconcile(): Promise<void> {
    const handedIn = await this.reconciler.pass();
    if (handedIn > 0) this.logger.log(`Handed ${handedIn} jobs to the queue again`);
  }

  /** Says that this worker lives and how much it can do at once, for estimates of waiting time. */
  private async reportSlots(): Promise<void> {
    const { queues, concurrency } = this.config.worker;
    const slots = queues.map((queue) => ({
      workerId: this.workerId,
      queue,
      slots: concurrency[queue],
      seenAt: () => 'now()',
    }));
    await this.dataSource.getRepository(WorkerSlotsEntity).upsert(slots, ['workerId', 'queue']);
  }

  /** Runs a task now and at every interval, never twice at once. One that fails is tried again at its next time. */
  private every(milliseconds: number, task: () => Promise<void>): void {
    let busy = false;
    const run = () => {
      if (busy) return;
      busy = true;
      task()
        .catch((error: Error) => this.logger.warn(error.message))
        .finally(() => {
          busy = false;
        });
    };
    run();
    this.timers.push(setInterval(run, milliseconds));
  }
}
