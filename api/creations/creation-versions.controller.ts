import { Body, Controller, Param, ParseUUIDPipe, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { creationNotFound } from '#libs/contract/creations.js';
import { newVersionRequest } from '#libs/contract/creation-versions.js';
import { routes, type RouteBody } from '#libs/contract/routes/table.js';
import { Route, UserId } from '../http/route.js';
import { RateLimits } from '../http/rate-limits.js';
import { IdempotencyKey } from '../http/idempotency-key.js';
import { ToolRequests } from '../tools/tool-requests.js';
import { CreationVersions } from '#libs/creations/creation-versions.service.js';
import { ImageVersions } from '#libs/creations/image-versions.service.js';
import { versionNotFound } from '#libs/creations/version-rows.js';

const creationId = new ParseUUIDPipe({ exceptionFactory: creationNotFound });
const versionId = new ParseUUIDPipe({ exceptionFactory: versionNotFound });

@Controller()
export class CreationVersionsController {
  constructor(
    private readonly versions: CreationVersions,
    private readonly images: ImageVersions,
    private readonly requests: ToolRequests,
    private readonly limits: RateLimits,
  ) {}

  @Route('listCreationVersions')
  async list(@UserId() userId: string, @Param('id', creationId) id: string) {
    return { versions: await this.versions.list(userId, id) };
  }

  @Route('getCreationVersion')
  async one(
    @UserId() userId: string,
    @Param('id', creationId) id: string,
    @Param('version', versionId) version: string,
  ) {
    return { version: await this.versions.one(userId, id, version) };
  }

  @Route('addCreationVersion')
  async add(
    @UserId() userId: string,
    @Param('id', creationId) id: string,
    @IdempotencyKey() key: string | undefined,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    await this.images.requireImage(userId, id);
    await this.limits.count('versions', userId, response);
    const { input, files } = await this.requests.read(userId, request, response, newVersionRequest);
    try {
      const image = files.find(({ field }) => field === 'image')!;
      return await this.images.add(userId, id, input, image, key);
    } finally {
      await this.requests.discard(files);
    }
  }

  @Route('restoreCreationVersion')
  restore(
    @UserId() userId: string,
    @Param('id', creationId) id: string,
    @Param('version', versionId) version: string,
  ) {
    return this.versions.restore(userId, id, version);
  }

  @Route('nameCreationVersion')
  async name(
    @UserId() userId: string,
    @Param('id', creationId) id: string,
    @Param('version', versionId) version: string,
    @Body({ schema: routes.nameCreationVersion.body }) { label }: RouteBody<'nameCreationVersion'>,
  ) {
    return { version: await this.versions.name(userId, id, version, label) };
  }

  @Route('deleteCreationVersion')
  async delete(
    @UserId() userId: string,
    @Param('id', creationId) id: string,
    @Param('version', versionId) version: string,
  ) {
    await this.versions.delete(userId, id, version);
    return { message: 'Deleted' };
  }
}
