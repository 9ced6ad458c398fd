import { Body, Controller, Param, ParseUUIDPipe, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { creationNotFound } from '#libs/contract/creations.js';
import { routes, type RouteBody, type RouteQuery } from '#libs/contract/routes/table.js';
import { PictureReports } from '#libs/creations/picture-reports.service.js';
import { RateLimits } from '../http/rate-limits.js';
import { Route, UserId } from '../http/route.js';
import { Community } from './community.service.js';

const creationId = new ParseUUIDPipe({ exceptionFactory: creationNotFound });

@Controller()
export class CommunityController {
  constructor(
    private readonly community: Community,
    private readonly reports: PictureReports,
    private readonly limits: RateLimits,
  ) {}

  @Route('listPublishedCreations')
  published(
    @UserId() userId: string,
    @Query({ schema: routes.listPublishedCreations.query }) query: RouteQuery<'listPublishedCreations'>,
  ) {
    return this.community.published(userId, query);
  }

  @Route('toggleLike')
  async toggleLike(
    @UserId() userId: string,
    @Body({ schema: routes.toggleLike.body }) { id }: RouteBody<'toggleLike'>,
  ) {
    const toggled = await this.community.toggleLike(userId, id);
    return { message: toggled.liked ? 'Creation liked' : 'Like removed', ...toggled };
  }

  @Route('reportPicture')
  async report(
    @UserId() userId: string,
    @Param('id', creationId) id: string,
    @Body({ schema: routes.reportPicture.body }) report: RouteBody<'reportPicture'>,
    @Res({ passthrough: true }) response: Response,
  ) {
    await this.limits.count('reports', userId, response);
    await this.reports.report(userId, id, report);
    return { message: 'Thank you. You no longer see this picture.' };
  }

  @Route('appealModeration')
  async appeal(
    @UserId() userId: string,
    @Param('id', creationId) id: string,
    @Body({ schema: routes.appealModeration.body }) { text }: RouteBody<'appealModeration'>,
  ) {
    await this.reports.appeal(userId, id, text);
    return { message: 'Your answer was sent.' };
  }
}
