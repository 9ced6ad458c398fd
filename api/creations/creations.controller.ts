import { Body, Controller, Headers, Param, ParseUUIDPipe, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { creationNotFound, type Creation } from '#libs/contract/creations.js';
import { AppError } from '#libs/contract/errors.js';
import { routes, type RouteBody, type RouteQuery } from '#libs/contract/routes/table.js';
import { ZipFiles } from '../files/zip-files.service.js';
import { ClientSignal, limitedRead, Route, UserId } from '../http/route.js';
import { RateLimits } from '../http/rate-limits.js';
import { CreationTags } from '#libs/creations/creation-tags.service.js';
import { CreationZips } from '#libs/creations/creation-zips.service.js';
import { Creations } from '#libs/creations/creations.service.js';
import { Publications } from '#libs/creations/publications.service.js';
import { TextEdits } from '#libs/creations/text-edits.service.js';

const creationId = new ParseUUIDPipe({ exceptionFactory: creationNotFound });

@Controller()
export class CreationsController {
  constructor(
    private readonly creations: Creations,
    private readonly tags: CreationTags,
    private readonly publications: Publications,
    private readonly edits: TextEdits,
    private readonly zips: CreationZips,
    private readonly zipFiles: ZipFiles,
    private readonly limits: RateLimits,
  ) {}

  @Route('listCreations')
  list(
    @UserId() userId: string,
    @Query({ schema: routes.listCreations.query }) query: RouteQuery<'listCreations'>,
    @ClientSignal() signal: AbortSignal,
  ) {
    return this.creations.ofUser(userId, query, signal);
  }

  @Route('getCreation')
  async get(
    @UserId() userId: string,
    @Param('id', creationId) id: string,
    @Res({ passthrough: true }) response: Response,
  ) {
    const creation = await this.creations.one(userId, id);
    response.setHeader('ETag', revisionTag(creation));
    const sources = await this.creations.sources(userId, id);
    return { creation, sources, batch: await this.creations.batchOf(userId, id) };
  }

  @Route('editCreation')
  async edit(
    @UserId() userId: string,
    @Param('id', creationId) id: string,
    @Headers('if-match') match: string | undefined,
    @Body({ schema: routes.editCreation.body }) edit: RouteBody<'editCreation'>,
    @Res({ passthrough: true }) response: Response,
  ) {
    const revision = readRevision(match);
    await this.limits.count('edits', userId, response);
    const creation = await this.edits.save(userId, id, revision, edit);
    response.setHeader('ETag', revisionTag(creation));
    return { creation };
  }

  @Route('renameCreation')
  async rename(
    @UserId() userId: string,
    @Param('id', creationId) id: string,
    @Body({ schema: routes.renameCreation.body }) change: RouteBody<'renameCreation'>,
  ) {
    return { creation: await this.creations.rename(userId, id, change) };
  }

  @Route('tagCreations')
  async tag(
    @UserId() userId: string,
    @Body({ schema: routes.tagCreations.body }) { ids, tag, add }: RouteBody<'tagCreations'>,
  ) {
    return { tag, changed: await this.tags.change(userId, ids, tag, add) };
  }

  @Route('deleteCreations')
  async deleteAll(
    @UserId() userId: string,
    @Body({ schema: routes.deleteCreations.body }) { ids }: RouteBody<'deleteCreations'>,
  ) {
    return { deleted: await this.creations.deleteAll(userId, ids) };
  }

  @Route('restoreCreations')
  async restoreAll(
    @UserId() userId: string,
    @Body({ schema: routes.restoreCreations.body }) { ids }: RouteBody<'restoreCreations'>,
  ) {
    return { restored: await this.creations.restoreAll(userId, ids) };
  }

  @Route('zipCreations')
  zip(
    @UserId() userId: string,
    @Body({ schema: routes.zipCreations.body }) { ids }: RouteBody<'zipCreations'>,
  ) {
    return this.zips.create(userId, ids);
  }

  @Route('getCreationsZipFile')
  async zipFile(@Param('key') key: string, @Res() response: Response): Promise<void> {
    const zip = await limitedRead(response.req, response, () => this.zips.find(key));
    await this.zipFiles.send(response, zip, true);
  }

  @Route('deleteCreation')
  async delete(@UserId() userId: string, @Param('id', creationId) id: string) {
    return { message: 'Deleted', ...(await this.creations.delete(userId, id)) };
  }

  @Route('restoreCreation')
  async restore(@UserId() userId: string, @Param('id', creationId) id: string) {
    return { message: 'Restored', creation: await this.creations.restore(userId, id) };
  }

  @Route('publishCreation')
  async publish(
    @UserId() userId: string,
    @Param('id', creationId) id: string,
    @Body({ schema: routes.publishCreation.body }) publication: RouteBody<'publishCreation'>,
    @Res({ passthrough: true }) response: Response,
  ) {
    if (!publication.publish)
      return { message: 'Withdrawn', creation: await this.publications.withdraw(userId, id) };
    await this.limits.count('publications', userId, response);
    const creation = await this.publications.publish(userId, id, publication);
    return { message: creation.published ? 'Published' : 'Waiting for review', creation };
  }
}

const revisionTag = ({ revision }: Creation) => `"${revision}"`;

/** @throws AppError PRECONDITION_REQUIRED if the header is missing, VERSION_CONFLICT if it is malformed */
function readRevision(match: string | undefined): number {
  if (match === undefined)
    throw new AppError('PRECONDITION_REQUIRED', 'Send the revision that was edited as If-Match.');
  const revision = /^"([1-9]\d{0,8})"$/.exec(match)?.[1];
  if (revision === undefined)
    throw new AppError('VERSION_CONFLICT', 'If-Match is no revision of this text. Load it again.');
  return Number(revision);
}
