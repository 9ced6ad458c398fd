import { Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Users } from '#libs/accounts/users.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { ToolsModule } from '../tools/tools.module.js';
import { AccountController } from './account.controller.js';
import { AccountDeletion } from './account-deletion.js';
import { AccountService } from './account.service.js';
import { PictureController } from './picture.controller.js';
import { ProfilePictures } from './profile-pictures.js';

@Module({
  imports: [ToolsModule],
  controllers: [AccountController, PictureController],
  providers: [AccountService, AccountDeletion, ProfilePictures],
  exports: [AccountDeletion],
})
export class AccountModule implements OnModuleInit, OnModuleDestroy {
  private readonly unsubscribe: (() => void)[] = [];

  constructor(
    private readonly sockets: SocketServer,
    private readonly users: Users,
  ) {}

  /** Each API process removes deleted users from its cache, so that their tokens are rejected at once. */
  onModuleInit(): void {
    this.unsubscribe.push(
      this.sockets.subscribe('user:deleted', (userId) => this.users.forget(userId)),
      this.sockets.onEventsMissed(() => this.users.forgetAll()),
    );
  }

  onModuleDestroy(): void {
    this.unsubscribe.forEach((unsubscribe) => unsubscribe());
  }
}
