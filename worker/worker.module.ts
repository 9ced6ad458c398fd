import { Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import { ClerkSyncModule } from '#libs/accounts/clerk/clerk-sync.module.js';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { ConfigModule } from '#libs/config/config.module.js';
import { CostsModule } from '#libs/costs/costs.module.js';
import type { WaitOptions } from '#libs/database/data-source.js';
import { DatabaseModule } from '#libs/database/database.module.js';
import { EventsModule } from '#libs/events/events.module.js';
import { ProgramPresenceModule } from '#libs/operators/program-presence.module.js';
import { AlertsModule } from '#libs/alerts/alerts.module.js';
import { HealthModule } from '#libs/health/readiness.js';
import { BatchesModule } from '#libs/batches/batches.module.js';
import { BillingModule } from '#libs/billing/billing.module.js';
import { StripeModule } from '#libs/billing/stripe/stripe.module.js';
import { reclaimStorage } from '#libs/creations/deleted-results.js';
import { FlowsModule } from '#libs/flows/flows.module.js';
import { QueueMaintenanceModule } from '#libs/scheduling/queue-maintenance.module.js';
import { SchedulingModule } from '#libs/scheduling/scheduling.module.js';
import { JobRunnerModule } from '#libs/jobs/runner/job-runner.module.js';
import { JobsModule } from '#libs/jobs/jobs.module.js';
import { limitImageMemory } from '#libs/local-engine/images/image-memory.js';
import { ModelsModule } from '#libs/models/models.module.js';
import { loggerOptions } from '#libs/observability/logger.js';
import { ObservabilityModule } from '#libs/observability/observability.module.js';
import { PreviewWorker } from '#libs/previews/preview-worker.js';
import { QueueModule } from '#libs/queue/queue.module.js';
import { StorageModule } from '#libs/storage/storage.module.js';
import { handlers } from '#libs/tools/handlers.js';
import { JobWorkers, jobWorkers } from './job-workers.js';
import { Maintenance } from './maintenance.js';
import { moderationNotices } from './moderation-notices.js';
import { previewWorker } from './preview-worker.js';
import { webhookProviders } from './webhook-sender.js';

/** A worker process: takes jobs, runs their tools, and reconciles queue and job table. No public HTTP. */
@Module({})
export class WorkerModule {
  /** @param waiting options for waiting until the database is available */
  static for(config: Config, waiting: WaitOptions = {}): DynamicModule {
    return {
      module: WorkerModule,
      // Nest closes modules in reverse order: the database is first here, so it is closed last, after all modules that
      // need it.
      imports: [
        ConfigModule.forRoot(config),
        LoggerModule.forRoot(loggerOptions(config.logLevel, 'worker')),
        ObservabilityModule.forRoot('worker'),
        DatabaseModule.forRoot('worker', waiting),
        StorageModule,
        QueueModule.forRoot(config),
        EventsModule,
        BillingModule.forRoot(reclaimStorage),
        StripeModule.forRoot(),
        SchedulingModule,
        CostsModule,
        QueueMaintenanceModule,
        JobsModule,
        BatchesModule,
        FlowsModule,
        JobRunnerModule.forRoot(handlers),
        ModelsModule,
        ClerkSyncModule,
        HealthModule.forRoot('worker'),
        ProgramPresenceModule.forRoot('worker'),
        AlertsModule.forRoot('worker', config),
      ],
      providers: [Maintenance, ...jobWorkers(config), previewWorker, moderationNotices, ...webhookProviders],
    };
  }
}

/**
 * Starts taking jobs. Call this after the signal handlers are installed, since before that a signal would kill running
 * jobs.
 */
export function startWork(worker: INestApplicationContext): void {
  const config = worker.get<Config>(CONFIG);
  limitImageMemory(config.worker.imageMemoryMb);
  worker.get(Maintenance).start();
  worker.get(JobWorkers).start();
  if (config.worker.queues.includes('image')) worker.get(PreviewWorker).start();
}
