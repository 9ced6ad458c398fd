import { Body, Controller, Headers, Param, ParseUUIDPipe, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Identity } from '#libs/accounts/identity.js';
import { creationNotFound } from '#libs/contract/creations.js';
import { newVersionRequest } from '#libs/contract/creation-versions.js';
import { routes, type Answer, type RouteBody } from '#libs/contract/routes/table.js';
import { CurrentIdentity, Route } from '../http/route.js';
import { RateLimits } from '../http/rate-limits.js';
import { readIdempotencyKey } from '../jobs/idempotency-key.js';
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
  async list(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', creationId) id: string,
  ): Promise<Answer<'listCreationVersions'>> {
    return { success: true, versions: await this.versions.list(userId, id) };
  }

  @Route('addCreationVersion')
  async add(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', creationId) id: string,
    @Headers('idempotency-key') header: string | undefined,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Answer<'addCreationVersion'>> {
    const key = readIdempotencyKey(header);
    await this.images.requireImage(userId, id);
    await this.limits.count('versions', userId);
    const { input, files } = await this.requests.read(userId, request, response, newVersionRequest);
    try {
      const image = files.find(({ field }) => field === 'image')!;
      return {
        success: true,
        ...(await this.images.add(userId, id, input, image, key)),
      };
    } finally {
      await this.requests.discard(files);
    }
  }

  @Route('restoreCreationVersion')
  async restore(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', creationId) id: string,
    @Param('version', versionId) version: string,
  ): Promise<Answer<'restoreCreationVersion'>> {
    return { success: true, ...(await this.versions.restore(userId, id, version)) };
  }

  @Route('nameCreationVersion')
  async name(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', creationId) id: string,
    @Param('version', versionId) version: string,
    @Body({ schema: routes.nameCreationVersion.body }) { label }: RouteBody<'nameCreationVersion'>,
  ): Promise<Answer<'nameCreationVersion'>> {
    return { success: true, version: await this.versions.name(userId, id, version, label) };
  }

  @Route('deleteCreationVersion')
  async delete(
    @CurrentIdentity() { userId }: Identity,
    @Param('id', creationId) id: string,
    @Param('version', versionId) version: string,
  ): Promise<Answer<'deleteCreationVersion'>> {
    await this.versions.delete(userId, id, version);
    return { success: true, message: 'Deleted' };
  }
}
