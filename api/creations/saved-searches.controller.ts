import { Body, Controller, Param, ParseUUIDPipe } from '@nestjs/common';
import type { Identity } from '#libs/accounts/identity.js';
import { routes, type Answer, type RouteBody } from '#libs/contract/routes/table.js';
import { CurrentIdentity, Route } from '../http/route.js';
import { SavedSearches, searchNotFound } from '#libs/creations/saved-searches.service.js';

const searchId = new ParseUUIDPipe({ exceptionFactory: searchNotFound });

@Controller()
export class SavedSearchesController {
  constructor(private readonly searches: SavedSearches) {}

  @Route('listSavedSearches')
  async list(@CurrentIdentity() { userId }: Identity): Promise<Answer<'listSavedSearches'>> {
    return { success: true, searches: await this.searches.list(userId) };
  }

  @Route('saveSearch')
  async create(
    @CurrentIdentity() { userId }: Identity,
    @Body({ schema: routes.saveSearch.body }) search: RouteBody<'saveSearch'>,
  ): Promise<Answer<'saveSearch'>> {
    return { success: true, search: await this.searches.create(userId, search) };
  }

  @Route('renameSavedSearch')
  async rename(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', searchId) id: string,
    @Body({ schema: routes.renameSavedSearch.body }) { name }: RouteBody<'renameSavedSearch'>,
  ): Promise<Answer<'renameSavedSearch'>> {
    return { success: true, search: await this.searches.rename(userId, id, name) };
  }

  @Route('deleteSavedSearch')
  async delete(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', searchId) id: string,
  ): Promise<Answer<'deleteSavedSearch'>> {
    await this.searches.delete(userId, id);
    return { success: true, message: 'Deleted' };
  }
}
