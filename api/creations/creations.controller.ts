import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import type { z } from 'zod';
import type { Identity } from '#libs/accounts/identity.js';
import { ownCreationsQuerySchema, publishSchema, type OwnCreationsQuery } from '#libs/contract/creations.js';
import { CurrentIdentity } from '../http/current-identity.js';
import { KnownIdPipe } from '../http/known-id.pipe.js';
import { creationNotFound, Creations } from './creations.service.js';

const creationId = new KnownIdPipe(creationNotFound);

@Controller('api/user')
export class CreationsController {
  constructor(private readonly creations: Creations) {}

  @Get('get-user-creations')
  async list(
    @CurrentIdentity() { userId }: Identity,
    @Query({ schema: ownCreationsQuerySchema }) query: OwnCreationsQuery,
  ): Promise<object> {
    return { success: true, ...(await this.creations.ofUser(userId, query)) };
  }

  @Get('creations/:id')
  async one(@CurrentIdentity() { userId }: Identity, @Param('id', creationId) id: string): Promise<object> {
    return { success: true, creation: await this.creations.one(userId, id) };
  }

  @Delete('creations/:id')
  async delete(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', creationId) id: string,
  ): Promise<object> {
    return { success: true, message: 'Deleted', ...(await this.creations.delete(userId, id)) };
  }

  @Post('creations/:id/restore')
  @HttpCode(200)
  async restore(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', creationId) id: string,
  ): Promise<object> {
    return { success: true, message: 'Restored', creation: await this.creations.restore(userId, id) };
  }

  @Post('creations/:id/publish')
  @HttpCode(200)
  async publish(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', creationId) id: string,
    @Body({ schema: publishSchema }) { publish }: z.infer<typeof publishSchema>,
  ): Promise<object> {
    const creation = await this.creations.publish(userId, id, publish);
    return { success: true, message: publish ? 'Published' : 'Withdrawn', creation };
  }
}
