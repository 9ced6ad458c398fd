import { Controller, Inject, Res } from '@nestjs/common';
import type { CookieOptions, Response } from 'express';
import type { Identity } from '#libs/accounts/identity.js';
import { type Config, CONFIG } from '#libs/config/environment.js';
import { CurrentIdentity, Route, UserId } from '../http/route.js';
import { AdminSessions, SESSION_MINUTES } from './admin-sessions.js';
import { boardCookie, BOARD_PATH } from './queue-board.js';

@Controller()
export class QueueBoardController {
  private readonly cookieName: string;
  private readonly cookie: CookieOptions;

  constructor(
    private readonly sessions: AdminSessions,
    @Inject(CONFIG) { publicUrl }: Config,
  ) {
    this.cookieName = boardCookie(publicUrl);
    // SameSite=Strict: the browser does not send the cookie with requests from other sites.
    this.cookie = {
      path: '/',
      httpOnly: true,
      sameSite: 'strict',
      secure: publicUrl.startsWith('https:'),
    };
  }

  @Route('openQueueBoard')
  async open(@CurrentIdentity() identity: Identity, @Res({ passthrough: true }) response: Response) {
    const secret = await this.sessions.open(identity);
    response.cookie(this.cookieName, secret, { ...this.cookie, maxAge: SESSION_MINUTES * 60_000 });
    return { url: BOARD_PATH };
  }

  @Route('closeQueueBoard')
  async close(@UserId() userId: string, @Res({ passthrough: true }) response: Response) {
    await this.sessions.close(userId);
    response.clearCookie(this.cookieName, this.cookie);
    return {};
  }
}
