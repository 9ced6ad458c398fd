import { Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { provideClass, value } from '#libs/config/provide-class.js';
import { AccountEvents } from '#libs/accounts/account-events.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { ProviderBudgets } from '#libs/costs/provider-budgets.js';
import { JobEvents } from '#libs/jobs/job-events.js';
import { JobLifecycle } from '#libs/jobs/lifecycle.js';
import { JobSubmission } from '#libs/jobs/submission.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { FlowEvents } from './flow-events.js';
import { FlowRuns } from './flow-runs.js';
import { Flows } from './flows.js';

/** Provides flows to api and worker. */
@Global()
@Module({
  providers: [
    provideClass(FlowEvents, [DataSource, SocketServer, JobEvents, value(() => logErrors('Flow events'))]),
    provideClass(FlowRuns, {
      dataSource: DataSource,
      submission: JobSubmission,
      lifecycle: JobLifecycle,
      flowEvents: FlowEvents,
      accountEvents: AccountEvents,
      onError: value(() => logErrors('Flows')),
    }),
    provideClass(Flows, {
      dataSource: DataSource,
      lifecycle: JobLifecycle,
      runs: FlowRuns,
      budgets: ProviderBudgets,
      flowEvents: FlowEvents,
      accountEvents: AccountEvents,
      prices: value(({ prices }) => prices),
    }),
  ],
  exports: [FlowEvents, FlowRuns, Flows],
})
export class FlowsModule {}
