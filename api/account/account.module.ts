import { Logger, Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountDeletion } from '#libs/accounts/account-deletion.js';
import { Users } from '#libs/accounts/users.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { JobQueue } from '#libs/queue/job-queue.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import { ToolsModule } from '../tools/tools.module.js';
import { AccountController } from './account.controller.js';
import { AccountService } from './account.service.js';
import { AccountExports } from './exports.service.js';
import { PictureController } from './picture.controller.js';
import { ProfilePictures } from './profile-pictures.js';

@Module({
  imports: [ToolsModule],
  controllers: [AccountController, PictureController],
  providers: [
    AccountService,
    AccountExports,
    ProfilePictures,
    {
      provide: AccountDeletion,
      inject: [DataSource, StoredFiles, JobQueue, SocketServer],
      useFactory: (dataSource: DataSource, files: StoredFiles, queue: JobQueue, sockets: SocketServer) => {
        const logger = new Logger('Account');
        return new AccountDeletion(dataSource, files, queue, sockets, (message) => logger.warn(message));
      },
    },
  ],
  exports: [AccountDeletion],
})
export class AccountModule implements OnModuleInit, OnModuleDestroy {
  private readonly unsubscribe: (() => void)[] = [];

  constructor(
    private readonly sockets: SocketServer,
    private readonly users: Users,
  ) {}

  /** Each API process removes deleted and suspended users from its cache, so that their tokens are rejected at once. */
  onModuleInit(): void {
    this.users.receiveEventsWhile(() => this.sockets.isReceiving);
    this.unsubscribe.push(
      this.sockets.subscribe('user:deleted', (userId) => this.users.forget(userId)),
      this.sockets.subscribe('user:suspended', (userId) => this.users.forget(userId)),
      this.sockets.onEventsMissed(() => this.users.forgetAll()),
    );
  }

  onModuleDestroy(): void {
    this.unsubscribe.forEach((unsubscribe) => unsubscribe());
  }
}
