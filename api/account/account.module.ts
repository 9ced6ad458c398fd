import { Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Users } from '#libs/accounts/users.js';
import { SocketServer } from '#libs/events/socket-server.js';
import { AccountRemoval } from './account-removal.js';
import { ToolsModule } from '../tools/tools.module.js';
import { AccountController } from './account.controller.js';
import { PictureController } from './picture.controller.js';
import { ProfilePictures } from './profile-pictures.js';

/** The caller's own account. */
@Module({
  imports: [ToolsModule],
  controllers: [AccountController, PictureController],
  providers: [AccountRemoval, ProfilePictures],
  exports: [AccountRemoval],
})
export class AccountModule implements OnModuleInit, OnModuleDestroy {
  private unsubscribe: () => void = () => undefined;

  constructor(
    private readonly live: SocketServer,
    private readonly users: Users,
  ) {}

  /** A user removed by one api process is forgotten by all: a token that was good a moment ago is refused. */
  onModuleInit(): void {
    this.unsubscribe = this.live.subscribe('user:removed', (userId) => this.users.forget(userId));
  }

  onModuleDestroy(): void {
    this.unsubscribe();
  }
}
