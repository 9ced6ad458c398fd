import { Logger, Module, type DynamicModule, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '#libs/config/environment.js';
import type { Program } from '#libs/health/database-writes.js';
import { Readiness } from '#libs/health/readiness.js';
import { ConfiguredMailer } from '#libs/mail/configured-mailer.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { JobQueue } from '#libs/queue/job-queue.js';
import { DiskSpace } from '#libs/storage/disk-space.js';
import { AlertMonitor } from './alert-monitor.js';
import { createReceivers } from './receivers.js';

class NoReceiver implements OnApplicationBootstrap {
  onApplicationBootstrap(): void {
    new Logger('Alerts').log(
      'Alerts are sent to nobody: set ALERT_MAIL (with SMTP_URL) or ALERT_WEBHOOK_URL',
    );
  }
}

/** Sends alerts by mail or webhook. Without a receiver, an api says so at its start. */
@Module({})
export class AlertsModule {
  static forRoot(program: Program, { alerts }: Config): DynamicModule {
    if (alerts === null) return { module: AlertsModule, providers: program === 'api' ? [NoReceiver] : [] };
    const monitor = {
      provide: AlertMonitor,
      inject: [DataSource, Readiness, DiskSpace, JobQueue, ConfiguredMailer, CONFIG],
      useFactory: (
        dataSource: DataSource,
        readiness: Readiness,
        disk: DiskSpace,
        queue: JobQueue,
        { mailer }: ConfiguredMailer,
        { publicUrl, budgets, jobs: { standardWaitSeconds } }: Config,
      ) =>
        new AlertMonitor({
          ...{ program, dataSource, readiness, disk, queue, budgets, standardWaitSeconds },
          receivers: createReceivers(alerts, mailer, publicUrl),
          alertmanagerUrl: alerts.alertmanagerUrl,
          onError: logErrors('Alerts'),
        }),
    };
    return { module: AlertsModule, providers: [ConfiguredMailer.provider, monitor] };
  }
}
