import { Body, Controller, Inject, Param } from '@nestjs/common';
import { ApiKeys } from '#libs/api-keys/api-keys.js';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { AppError } from '#libs/contract/errors.js';
import { routes, type RouteBody } from '#libs/contract/routes/table.js';
import { Route, UserId } from '../http/route.js';

@Controller()
export class ApiKeysController {
  constructor(
    private readonly apiKeys: ApiKeys,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

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

  @Route('allowApp')
  async allowApp(
    @UserId() userId: string,
    @Param('clientId') clientId: string,
    @Body({ schema: routes.allowApp.body }) { scopes }: RouteBody<'allowApp'>,
  ) {
    const { accounts } = this.config;
    const apps = accounts.kind === 'clerk' ? accounts.oauthClients : [];
    const app = apps.find((candidate) => candidate.clientId === clientId);
    if (!app) throw new AppError('NOT_FOUND', 'There is no such app.');
    return { key: await this.apiKeys.allowApp(userId, app, scopes) };
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
