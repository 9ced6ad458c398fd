import { Body, Controller, Query } from '@nestjs/common';
import type { Identity } from '#libs/accounts/identity.js';
import { routes, type Answer, type RouteBody, type RouteQuery } from '#libs/contract/routes/table.js';
import { CurrentIdentity, Route } from '../http/route.js';
import { Community } from './community.service.js';

@Controller()
export class CommunityController {
  constructor(private readonly community: Community) {}

  @Route('listPublishedCreations')
  async published(
    @CurrentIdentity() { userId }: Identity,
    @Query({ schema: routes.listPublishedCreations.query }) query: RouteQuery<'listPublishedCreations'>,
  ): Promise<Answer<'listPublishedCreations'>> {
    return { success: true, ...(await this.community.published(userId, query)) };
  }

  @Route('toggleLike')
  async toggleLike(
    @CurrentIdentity() { userId }: Identity,
    @Body({ schema: routes.toggleLike.body }) { id }: RouteBody<'toggleLike'>,
  ): Promise<Answer<'toggleLike'>> {
    const toggled = await this.community.toggleLike(userId, id);
    return { success: true, message: toggled.liked ? 'Creation liked' : 'Like removed', ...toggled };
  }
}
