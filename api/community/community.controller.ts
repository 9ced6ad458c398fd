import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import type { z } from 'zod';
import type { Identity } from '#libs/accounts/identity.js';
import { toggleLikeSchema } from '#libs/contract/community.js';
import { creationListQuerySchema, type CreationListQuery } from '#libs/contract/creations.js';
import { CurrentIdentity } from '../http/current-identity.js';
import { Community } from './community.service.js';

@Controller('api/user')
export class CommunityController {
  constructor(private readonly community: Community) {}

  @Get('get-published-creations')
  async published(
    @CurrentIdentity() { userId }: Identity,
    @Query({ schema: creationListQuerySchema }) query: CreationListQuery,
  ): Promise<object> {
    return { success: true, ...(await this.community.published(userId, query)) };
  }

  @Post('toggle-like-creation')
  @HttpCode(200)
  async toggleLike(
    @CurrentIdentity() { userId }: Identity,
    @Body({ schema: toggleLikeSchema }) { id }: z.infer<typeof toggleLikeSchema>,
  ): Promise<object> {
    const toggled = await this.community.toggleLike(userId, id);
    return { success: true, message: toggled.liked ? 'Creation liked' : 'Like removed', ...toggled };
  }
}
