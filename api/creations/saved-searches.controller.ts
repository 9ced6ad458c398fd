import { Body, Controller, Param, ParseUUIDPipe } from '@nestjs/common';
import { routes, type RouteBody } from '#libs/contract/routes/table.js';
import { Route, UserId } from '../http/route.js';
import { SavedSearches, searchNotFound } from '#libs/creations/saved-searches.service.js';

const searchId = new ParseUUIDPipe({ exceptionFactory: searchNotFound });

@Controller()
export class SavedSearchesController {
  constructor(private readonly searches: SavedSearches) {}

  @Route('listSavedSearches')
  async list(@UserId() userId: string) {
    return { searches: await this.searches.list(userId) };
  }

  @Route('saveSearch')
  async create(
    @UserId() userId: string,
    @Body({ schema: routes.saveSearch.body }) search: RouteBody<'saveSearch'>,
  ) {
    return { search: await this.searches.create(userId, search) };
  }

  @Route('renameSavedSearch')
  async rename(
    @UserId() userId: string,
    @Param('id', searchId) id: string,
    @Body({ schema: routes.renameSavedSearch.body }) { name }: RouteBody<'renameSavedSearch'>,
  ) {
    return { search: await this.searches.rename(userId, id, name) };
  }

  @Route('deleteSavedSearch')
  async delete(@UserId() userId: string, @Param('id', searchId) id: string) {
    await this.searches.delete(userId, id);
    return { message: 'Deleted' };
  }
}
