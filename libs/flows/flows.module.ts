import { Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountEvents } from '#libs/accounts/account-events.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { JobEvents } from '#libs/jobs/job-events.js';
import { JobLifecycle } from '#libs/jobs/lifecycle.js';
import { JobSubmission } from '#libs/jobs/submission.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { FlowEvents } from './flow-events.js';
import { FlowRuns } from './flow-runs.js';
import { Flows } from './flows.js';

/** Jobs of several tools that run as one flow, in api and worker. */
@Global()
@Module({
  providers: [
    {
      provide: FlowEvents,
      inject: [DataSource, SocketServer, JobEvents],
      useFactory: (dataSource: DataSource, live: SocketServer, jobEvents: JobEvents) =>
        new FlowEvents(dataSource, live, jobEvents, logErrors('Flow events')),
    },
    {
      provide: FlowRuns,
      inject: [DataSource, JobSubmission, JobLifecycle, FlowEvents, AccountEvents],
      useFactory: (
        dataSource: DataSource,
        submission: JobSubmission,
        lifecycle: JobLifecycle,
        flowEvents: FlowEvents,
        accountEvents: AccountEvents,
      ) =>
        new FlowRuns({
          ...{ dataSource, submission, lifecycle, flowEvents, accountEvents },
          onError: logErrors('Flows'),
        }),
    },
    {
      provide: Flows,
      inject: [DataSource, JobLifecycle, FlowRuns, FlowEvents, AccountEvents],
      useFactory: (
        dataSource: DataSource,
        lifecycle: JobLifecycle,
        runs: FlowRuns,
        flowEvents: FlowEvents,
        accountEvents: AccountEvents,
      ) => new Flows({ dataSource, lifecycle, runs, flowEvents, accountEvents }),
    },
  ],
  exports: [FlowEvents, FlowRuns, Flows],
})
export class FlowsModule {}
