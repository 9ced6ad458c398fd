import { Body, Controller, Param, ParseUUIDPipe, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '#libs/accounts/identity.js';
import { MAX_BATCH_ITEMS } from '#libs/contract/batches.js';
import { routes, type RouteBody, type RouteQuery } from '#libs/contract/routes/table.js';
import { batchNotFound, pictureNotFound } from '#libs/batches/batch-items.js';
import { Batches } from '#libs/batches/batches.js';
import { ZipFiles } from '../files/zip-files.service.js';
import { requireToolScope } from '../http/key-scopes.js';
import { RateLimits } from '../http/rate-limits.js';
import { CurrentCaller, limitedRead, Route, UserId } from '../http/route.js';
import { IdempotencyKey } from '../http/idempotency-key.js';
import { BatchItems } from './batch-items.service.js';

const batchId = new ParseUUIDPipe({ exceptionFactory: batchNotFound });
const itemNumber = {
  transform(value: string): number {
    const n = /^\d{1,9}$/.test(value) ? Number(value) : 0;
    if (n < 1 || n > MAX_BATCH_ITEMS) throw pictureNotFound();
    return n;
  },
};

@Controller()
export class BatchesController {
  constructor(
    private readonly batches: Batches,
    private readonly items: BatchItems,
    private readonly zipFiles: ZipFiles,
    private readonly limits: RateLimits,
  ) {}

  @Route('createBatch')
  async create(
    @CurrentCaller() caller: Caller,
    @IdempotencyKey() key: string | undefined,
    @Body({ schema: routes.createBatch.body }) batch: RouteBody<'createBatch'>,
    @Res({ passthrough: true }) response: Response,
  ) {
    requireToolScope(caller, batch.tool);
    await this.limits.count('batches', caller.userId, response);
    const request = { idempotencyKey: key, apiKeyId: caller.apiKey?.id };
    return { batch: await this.batches.create(caller.userId, batch, request) };
  }

  @Route('listBatches')
  list(
    @UserId() userId: string,
    @Query({ schema: routes.listBatches.query }) query: RouteQuery<'listBatches'>,
  ) {
    return this.batches.list(userId, query);
  }

  @Route('getBatch')
  async get(@UserId() userId: string, @Param('id', batchId) id: string) {
    return { batch: await this.batches.get(userId, id) };
  }

  @Route('cancelBatch')
  async cancel(@UserId() userId: string, @Param('id', batchId) id: string) {
    return { batch: await this.batches.cancel(userId, id) };
  }

  @Route('deleteBatchOriginals')
  async deleteOriginals(@UserId() userId: string, @Param('id', batchId) id: string) {
    return { batch: await this.batches.deleteOriginals(userId, id) };
  }

  @Route('sendBatchItem')
  async send(
    @UserId() userId: string,
    @Param('id', batchId) id: string,
    @Param('n', itemNumber) n: number,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    return { item: await this.items.send(userId, { batchId: id, n }, request, response) };
  }

  @Route('leaveOutBatchItem')
  async leaveOut(
    @UserId() userId: string,
    @Param('id', batchId) id: string,
    @Param('n', itemNumber) n: number,
  ) {
    return { item: await this.batches.leaveOut(userId, id, n) };
  }

  @Route('getBatchZip')
  async zip(
    @UserId() userId: string,
    @Param('id', batchId) id: string,
    @Res() response: Response,
  ): Promise<void> {
    const zip = await limitedRead(response.req, response, () => this.batches.zipOf(userId, id));
    await this.zipFiles.send(response, zip, true);
  }

  /** Needs no token, since a browser's download sends none. The key in the path is random and secret. */
  @Route('getBatchZipFile')
  async zipFile(@Param('key') key: string, @Res() response: Response): Promise<void> {
    const zip = await limitedRead(response.req, response, () => this.batches.zipOfKey(key));
    await this.zipFiles.send(response, zip, false);
  }
}
