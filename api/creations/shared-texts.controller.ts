import { Body, Controller, Get, Inject, Param, ParseUUIDPipe, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Identity } from '#libs/accounts/identity.js';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { CurrentIdentity, Public, Route } from '../http/route.js';
import { creationNotFound } from '#libs/contract/creations.js';
import { routes, type Answer, type RouteBody } from '#libs/contract/routes/table.js';
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
  async get(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', creationId) id: string,
  ): Promise<Answer<'getShare'>> {
    return { success: true, share: await this.texts.ofCreation(userId, id) };
  }

  @Route('setShare')
  async share(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', creationId) id: string,
    @Body({ schema: routes.setShare.body }) { live }: RouteBody<'setShare'>,
  ): Promise<Answer<'setShare'>> {
    return { success: true, share: await this.texts.share(userId, id, live) };
  }

  @Route('withdrawShare')
  async withdraw(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', creationId) id: string,
  ): Promise<Answer<'withdrawShare'>> {
    await this.texts.withdraw(userId, id);
    return { success: true, message: 'Withdrawn' };
  }

  /** The web client's page, which loads the text. It is excluded from search engines. */
  @Public()
  @Get('t/:token')
  async page(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const text = await this.texts.find(token);
    response
      .status(text ? 200 : 404)
      .set({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex, nofollow' });
    await answerPage(request, response, this.config, (page) => withPreview(page, text));
  }

  @Route('getSharedText')
  async read(@Param('token') token: string): Promise<Answer<'getSharedText'>> {
    const text = await this.texts.find(token);
    if (!text) throw shareNotFound();
    return { success: true, text };
  }
}
