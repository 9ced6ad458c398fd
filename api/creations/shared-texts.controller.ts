import { Body, Controller, Get, Inject, Param, ParseUUIDPipe, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { Public, limitedRead, Route, UserId } from '../http/route.js';
import { creationNotFound } from '#libs/contract/creations.js';
import { routes, type RouteBody } from '#libs/contract/routes/table.js';
import { shareNotFound } from '#libs/contract/sharing.js';
import { answerPage } from '../http/web-client.js';
import { withPreview } from './shared-text-page.js';
import { SharedTexts } from '#libs/creations/shared-texts.service.js';

const creationId = new ParseUUIDPipe({ exceptionFactory: creationNotFound });

@Controller()
export class SharedTextsController {
  constructor(
    private readonly texts: SharedTexts,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Route('getShare')
  async get(@UserId() userId: string, @Param('id', creationId) id: string) {
    return { share: await this.texts.ofCreation(userId, id) };
  }

  @Route('setShare')
  async share(
    @UserId() userId: string,
    @Param('id', creationId) id: string,
    @Body({ schema: routes.setShare.body }) { live }: RouteBody<'setShare'>,
  ) {
    return { share: await this.texts.share(userId, id, live) };
  }

  @Route('withdrawShare')
  async withdraw(@UserId() userId: string, @Param('id', creationId) id: string) {
    await this.texts.withdraw(userId, id);
    return { message: 'Withdrawn' };
  }

  /** The web client's page, which then loads the text. Excluded from search engines. */
  @Public()
  @Get('t/:token')
  async page(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const text = await limitedRead(request, response, () => this.texts.find(token));
    response
      .status(text ? 200 : 404)
      // The compressing middleware leaves the page as it is: such pages are many and short.
      .set({ 'Cache-Control': 'no-store, no-transform', 'X-Robots-Tag': 'noindex, nofollow' });
    await answerPage(request, response, this.config, (page) => withPreview(page, text));
  }

  @Route('getSharedText')
  async read(@Param('token') token: string) {
    const text = await this.texts.find(token);
    if (!text) throw shareNotFound();
    return { text };
  }
}
