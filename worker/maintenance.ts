import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ClerkSync } from '#libs/accounts/clerk/sync.js';
import { deletePastUserLimits } from '#libs/billing/user-limits.js';
import { StripeSync } from '#libs/billing/stripe/sync.js';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { WorkerSlotsEntity } from '#libs/database/entities/jobs.js';
import { maintainPartitions } from '#libs/database/partitions.js';
import { BudgetWatch } from '#libs/costs/budget-watch.js';
import { endLostCalls } from '#libs/costs/lost-calls.js';
import { removeUnusedDocuments } from '#libs/documents/remove-documents.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { FlowRuns } from '#libs/flows/flow-runs.js';
import { AccountEvents } from '#libs/accounts/account-events.js';
import { BatchEvents } from '#libs/batches/batch-events.js';
import { deletePreviousEntries } from '#libs/queue/previous-entries.js';
import { QUEUE_ORDER_PASS_SECONDS, QueueOrder } from '#libs/scheduling/queue-order.js';
import { deleteAbandonedPreviews } from '#libs/jobs/job-transitions.js';
import { QueuePauses } from '#libs/scheduling/queue-pauses.js';
import { Reconciler } from '#libs/scheduling/reconciler.js';
import { ModerationNotices } from '#libs/creations/moderation-notices.js';
import { applyRetention } from '#libs/creations/retention.js';
import { retryWhileUnavailable } from '#libs/jobs/retry-while-unavailable.js';
import { budgetUsed } from '#libs/observability/metrics.js';
import { runAll, settleWithin } from '#libs/resilience/policies.js';
import { ABANDONED_PASS_MS, AbandonedSpools, spoolsIn } from '#libs/storage/spool-folders.js';
import { StoredFiles, SWEEP_EVERY } from '#libs/storage/stored-files.js';
import { WebhookEvents } from '#libs/webhooks/webhook-events.js';
import { WebhookSender } from '#libs/webhooks/webhook-sender.js';
import { deletePastPrograms } from '#libs/operators/program-presence.js';
import { ElectedTasks } from './elected-tasks.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 3_600 * SECOND;
/** Maximum milliseconds that a stopping worker spends on giving up its slots and its election. */
const STOP_WITHIN_MS = 4 * SECOND;

/**
 * Periodic tasks: of every worker, and of the one that is elected ({@link ElectedTasks}). Each is safe to run in several
 * workers at once, since a paused leader may go on after another was elected.
 */
@Injectable()
export class Maintenance implements OnModuleDestroy, OnApplicationShutdown {
  private readonly logger = new Logger('Maintenance');
  private readonly workerId = randomUUID();
  private readonly abandoned: AbandonedSpools;
  private readonly budgets: BudgetWatch;
  private readonly timers: NodeJS.Timeout[] = [];
  private slotsWritten: Promise<void> = Promise.resolve();
  private stopped: Promise<unknown> = Promise.resolve();
  private readonly elected: ElectedTasks;

  constructor(
    private readonly dataSource: DataSource,
    private readonly reconciler: Reconciler,
    private readonly order: QueueOrder,
    private readonly pauses: QueuePauses,
    private readonly files: StoredFiles,
    private readonly live: SocketServer,
    private readonly batchEvents: BatchEvents,
    private readonly accountEvents: AccountEvents,
    private readonly flows: FlowRuns,
    private readonly webhookEvents: WebhookEvents,
    private readonly webhookSender: WebhookSender,
    private readonly moderationNotices: ModerationNotices,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(ClerkSync) private readonly clerk: ClerkSync | null,
    @Inject(StripeSync) private readonly stripe: StripeSync | null,
  ) {
    this.elected = new ElectedTasks({
      database: dataSource,
      onError: (error) => this.logger.warn(error.message),
    });
    this.budgets = new BudgetWatch({
      database: dataSource,
      budgets: config.budgets,
      warn: (fields, message) => this.logger.warn(fields, message),
    });
    this.abandoned = new AbandonedSpools(spoolsIn(config.dataDir));
  }

  start(): void {
    this.every(5 * SECOND, () => (this.slotsWritten = this.writeSlots()));
    this.every(ABANDONED_PASS_MS, () => this.abandoned.pass());
    // Otherwise a worker that was elected before would report an old value.
    this.every(MINUTE, async () => void (this.elected.isElected || budgetUsed.reset()));
    // Deliveries are sent by all, but the elected worker looks for them more often.
    this.every(5 * SECOND, () => this.webhookSender.pass());
    const { clerk, stripe } = this;
    this.elected.add('queue entries', 3 * SECOND, () => this.reconcile());
    this.elected.add('flows', 3 * SECOND, () => this.flows.pass());
    this.elected.add('paused queues', 3 * SECOND, () => this.pauses.sync());
    this.elected.add('queue order', QUEUE_ORDER_PASS_SECONDS * SECOND, () => this.order.pass());
    this.elected.add('webhook events', SECOND, () => this.webhookEvents.pass());
    this.elected.add('webhook deliveries', SECOND, () => this.webhookSender.pass());
    this.elected.add('moderation mails', 5 * SECOND, () => this.moderationNotices.pass());
    if (clerk) this.elected.add('Clerk events', 2 * SECOND, () => clerk.pass());
    if (stripe) this.elected.add('Stripe events', 2 * SECOND, () => stripe.pass());
    this.elected.add('past live events', 10 * SECOND, () => this.live.deletePastEvents());
    this.elected.add('deleted files', SWEEP_EVERY, async () => void (await this.files.sweep()));
    this.elected.add('previews', MINUTE, async () => void (await deleteAbandonedPreviews(this.dataSource)));
    this.elected.add('lost provider calls', MINUTE, () => endLostCalls(this.dataSource));
    this.elected.add('budgets', MINUTE, () => this.budgets.pass());
    this.elected.add('idle flows', MINUTE, () => this.flows.closeIdle(this.config.jobs.retentionDays));
    this.elected.add('partitions', HOUR, () => maintainPartitions(this.dataSource));
    this.elected.add('retention', HOUR, () => this.removeExpired());
    this.elected.add('previous queue entries', HOUR, async () => {
      await deletePreviousEntries(this.config.queue);
    });
    this.elected.start();
  }

  /** Starts to give up slots and election, while other modules stop. */
  onModuleDestroy(): void {
    this.timers.forEach(clearInterval);
    this.stopped = settleWithin(STOP_WITHIN_MS, () =>
      Promise.all([this.deleteSlots(), this.elected.stop()]),
    ).catch((error: Error) =>
      this.logger.warn(`The slots of this worker were not deleted: ${error.message}`),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.stopped;
  }

  /** Retries, since on a busy machine the pool may time out before a connection is free. */
  private async deleteSlots(): Promise<void> {
    // Wait for a write in progress, which would otherwise insert the row again after the deletion.
    await this.slotsWritten.catch(() => undefined);
    const slots = this.dataSource.getRepository(WorkerSlotsEntity);
    await retryWhileUnavailable(() => slots.delete({ workerId: this.workerId }));
  }

  /** Deletes unused documents first, since the last step of retention then deletes their files. */
  private async removeExpired(): Promise<void> {
    const { dataSource, files, config, batchEvents, accountEvents } = this;
    await runAll([
      () => deletePastPrograms(dataSource),
      () => deletePastUserLimits(dataSource),
      () => removeUnusedDocuments(dataSource),
      () => applyRetention(dataSource, files, config.jobs, { batchEvents, accountEvents }),
    ]);
  }

  private async reconcile(): Promise<void> {
    const requeued = await this.reconciler.pass();
    if (requeued > 0) this.logger.log(`Added ${requeued} jobs to the queue again`);
  }

  /** Records that this worker is running and how many jobs it runs at once, for estimates of waiting times. */
  private async writeSlots(): Promise<void> {
    const { queues, concurrency } = this.config.worker;
    const slots = queues.map((queue) => ({
      workerId: this.workerId,
      queue,
      slots: concurrency[queue],
      seenAt: () => 'now()',
    }));
    await this.dataSource.getRepository(WorkerSlotsEntity).upsert(slots, ['workerId', 'queue']);
  }

  /** Runs a task now and at every interval. Skips a run while the previous one is still running. Logs failures. */
  private every(milliseconds: number, task: () => Promise<void>): void {
    let isRunning = false;
    const run = () => {
      if (isRunning) return;
      isRunning = true;
      task()
        .catch((error: Error) => this.logger.warn(error.message))
        .finally(() => {
          isRunning = false;
        });
    };
    run();
    this.timers.push(setInterval(run, milliseconds));
  }
}
