import { Body, Controller, Query } from '@nestjs/common';
import { routes, type RouteBody, type RouteQuery } from '#libs/contract/routes/table.js';
import { Route, UserId } from '../http/route.js';
import { Community } from './community.service.js';

@Controller()
export class CommunityController {
  constructor(private readonly community: Community) {}

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
}
