import { Controller, Delete, HttpCode, Inject, Post, Res } from '@nestjs/common';
import type { CookieOptions, Response } from 'express';
import type { Identity } from '#libs/accounts/identity.js';
import type { Config } from '#libs/config/environment.js';
import { CONFIG } from '#libs/platform/platform.module.js';
import { CurrentIdentity } from '../http/current-identity.js';
import { AdminSessions, SESSION_MINUTES } from './admin-sessions.js';
import { BOARD_COOKIE, BOARD_PATH } from './queue-board.js';

/** Lets an operator's browser in to the queue board, and out again. */
@Controller('api/admin/session')
export class AdminController {
  private readonly cookie: CookieOptions;

  constructor(
    private readonly sessions: AdminSessions,
    @Inject(CONFIG) { publicUrl }: Config,
  ) {
    // No other site can have the browser send it along.
    this.cookie = {
      path: BOARD_PATH,
      httpOnly: true,
      sameSite: 'strict',
      secure: publicUrl.startsWith('https:'),
    };
  }

  @Post()
  @HttpCode(200)
  async open(
    @CurrentIdentity() { userId }: Identity,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const secret = await this.sessions.open(userId);
    response.cookie(BOARD_COOKIE, secret, { ...this.cookie, maxAge: SESSION_MINUTES * 60_000 });
    return { success: true, url: BOARD_PATH };
  }

  @Delete()
  async close(
    @CurrentIdentity() { userId }: Identity,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    await this.sessions.close(userId);
    response.clearCookie(BOARD_COOKIE, this.cookie);
    return { success: true };
  }
}
