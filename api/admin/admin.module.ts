import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Queue } from 'bullmq';
import type { Application } from 'express';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { AccountDeletion } from '#libs/accounts/account-deletion.js';
import { AccountEvents } from '#libs/accounts/account-events.js';
import { valueFrom, provideClass, value } from '#libs/config/provide-class.js';
import { CreationEvents } from '#libs/creations/creation-events.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { JobLifecycle } from '#libs/jobs/lifecycle.js';
import { JobSubmission } from '#libs/jobs/submission.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { CreationActions } from '#libs/operators/creation-actions.js';
import { JobActions } from '#libs/operators/job-actions.js';
import { UserActions } from '#libs/operators/user-actions.js';
import { JobQueue } from '#libs/queue/job-queue.js';
import { AccountModule } from '../account/account.module.js';
import { FilesModule } from '../files/files.module.js';
import { AdminAuditController } from './audit.controller.js';
import { AdminCostsController } from './costs.controller.js';
import { AdminCreationsController } from './creations.controller.js';
import { AdminJobsController } from './jobs.controller.js';
import { QueueBoardController } from './queue-board.controller.js';
import { AdminQueuesController } from './queues.controller.js';
import { AdminUsersController } from './users.controller.js';
import { AdminSessions } from './admin-sessions.js';
import { boardCookie, BOARD_PATH, queueBoard } from './queue-board.js';

@Module({
  imports: [AccountModule, FilesModule],
  controllers: [
    QueueBoardController,
    AdminQueuesController,
    AdminJobsController,
    AdminUsersController,
    AdminAuditController,
    AdminCreationsController,
    AdminCostsController,
  ],
  providers: [
    AdminSessions,
    provideClass(CreationEvents, [SocketServer]),
    provideClass(CreationActions, [DataSource, CreationEvents]),
    provideClass(JobActions, {
      dataSource: DataSource,
      queue: JobQueue,
      lifecycle: JobLifecycle,
      submission: JobSubmission,
      onError: value(() => logErrors('Operators')),
    }),
    provideClass(UserActions, {
      dataSource: DataSource,
      lifecycle: JobLifecycle,
      accountEvents: AccountEvents,
      live: SocketServer,
      accounts: value(({ accounts }) => accounts.kind),
      prices: value(({ prices }) => prices),
      openDeletion: valueFrom(AccountDeletion, (deletion: AccountDeletion) => async () => deletion),
      onError: value(() => logErrors('Operators')),
    }),
  ],
})
export class AdminModule implements OnModuleInit {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly sessions: AdminSessions,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
    @InjectQueue('text') private readonly text: Queue,
    @InjectQueue('image') private readonly image: Queue,
    @InjectQueue('pdf') private readonly pdf: Queue,
  ) {}

  onModuleInit(): void {
    const express = this.adapterHost.httpAdapter.getInstance<Application>();
    express.use(
      BOARD_PATH,
      queueBoard([this.text, this.image, this.pdf], this.sessions, boardCookie(this.config.publicUrl)),
    );
  }
}
