import { Body, Controller, Param } from '@nestjs/common';
import { ApiKeys } from '#libs/api-keys/api-keys.js';
import { routes, type RouteBody } from '#libs/contract/routes/table.js';
import { Route, UserId } from '../http/route.js';

@Controller()
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeys) {}

  @Route('listApiKeys')
  async list(@UserId() userId: string) {
    return { keys: await this.apiKeys.list(userId) };
  }

  @Route('createApiKey')
  create(
    @UserId() userId: string,
    @Body({ schema: routes.createApiKey.body }) settings: RouteBody<'createApiKey'>,
  ) {
    return this.apiKeys.create(userId, settings);
  }

  @Route('changeApiKey')
  async change(
    @UserId() userId: string,
    @Param('id') id: string,
    @Body({ schema: routes.changeApiKey.body }) change: RouteBody<'changeApiKey'>,
  ) {
    return { key: await this.apiKeys.change(userId, id, change) };
  }

  @Route('revokeApiKey')
  async revoke(@UserId() userId: string, @Param('id') id: string) {
    await this.apiKeys.revoke(userId, id);
    return { message: 'Revoked' };
  }
}
