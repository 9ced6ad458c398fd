import { Body, Controller, Param, ParseUUIDPipe, Query } from '@nestjs/common';
import type { Identity } from '#libs/accounts/identity.js';
import { creationNotFound } from '#libs/contract/creations.js';
import { routes, type Answer, type RouteBody, type RouteQuery } from '#libs/contract/routes/table.js';
import { ClientSignal } from '../http/client-signal.js';
import { CurrentIdentity } from '../http/current-identity.js';
import { Route } from '../http/route.js';
import { Creations } from './creations.service.js';

const creationId = new ParseUUIDPipe({ exceptionFactory: creationNotFound });

@Controller()
export class CreationsController {
  constructor(private readonly creations: Creations) {}

  @Route('listCreations')
  async list(
    @CurrentIdentity() { userId }: Identity,
    @Query({ schema: routes.listCreations.query }) query: RouteQuery<'listCreations'>,
    @ClientSignal() signal: AbortSignal,
  ): Promise<Answer<'listCreations'>> {
    return { success: true, ...(await this.creations.ofUser(userId, query, signal)) };
  }

  @Route('getCreation')
  async get(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', creationId) id: string,
  ): Promise<Answer<'getCreation'>> {
    const creation = await this.creations.one(userId, id);
    return { success: true, creation, sources: await this.creations.sources(userId, id) };
  }

  @Route('deleteCreation')
  async delete(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', creationId) id: string,
  ): Promise<Answer<'deleteCreation'>> {
    return { success: true, message: 'Deleted', ...(await this.creations.delete(userId, id)) };
  }

  @Route('restoreCreation')
  async restore(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', creationId) id: string,
  ): Promise<Answer<'restoreCreation'>> {
    return { success: true, message: 'Restored', creation: await this.creations.restore(userId, id) };
  }

  @Route('publishCreation')
  async publish(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', creationId) id: string,
    @Body({ schema: routes.publishCreation.body }) { publish }: RouteBody<'publishCreation'>,
  ): Promise<Answer<'publishCreation'>> {
    const creation = await this.creations.publish(userId, id, publish);
    return { success: true, message: publish ? 'Published' : 'Withdrawn', creation };
  }
}
