import { Module, type DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '#libs/config/environment.js';
import type { Program } from '#libs/health/database-writes.js';
import { Readiness } from '#libs/health/readiness.js';
import { ConfiguredMailer } from '#libs/mail/configured-mailer.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { DiskSpace } from '#libs/storage/disk-space.js';
import { AlertMonitor } from './alert-monitor.js';
import { createReceivers } from './receivers.js';

/** Sends alerts by mail or webhook. Empty without a receiver. */
@Module({})
export class AlertsModule {
  static forRoot(program: Program, { alerts }: Config): DynamicModule {
    if (alerts === null) return { module: AlertsModule };
    const monitor = {
      provide: AlertMonitor,
      inject: [DataSource, Readiness, DiskSpace, ConfiguredMailer, CONFIG],
      useFactory: (
        dataSource: DataSource,
        readiness: Readiness,
        disk: DiskSpace,
        { mailer }: ConfiguredMailer,
        { publicUrl, budgets }: Config,
      ) =>
        new AlertMonitor({
          ...{ program, dataSource, readiness, disk, budgets },
          receivers: createReceivers(alerts, mailer, publicUrl),
          alertmanagerUrl: alerts.alertmanagerUrl,
          onError: logErrors('Alerts'),
        }),
    };
    return { module: AlertsModule, providers: [ConfiguredMailer.provider, monitor] };
  }
}
