import { z } from 'zod';
import {
  batchItemSchema,
  batchListQuerySchema,
  batchSchema,
  batchWithItemsSchema,
  MAX_BATCH_ITEMS,
  newBatchSchema,
} from '../batches.js';
import { describeFile } from '../limits.js';
import { defineRoute, json, ok, page, success } from './define-route.js';
import { submissionHeaders } from './jobs.js';

const tag = 'Batches';
const batchId = z.object({ id: z.uuid().meta({ description: 'The batch’s id.' }) });
const itemOf = batchId.extend({
  n: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_BATCH_ITEMS)
    .meta({ description: 'The picture’s number in its batch.' }),
});
const wholeBatch = json(success({ batch: batchWithItemsSchema }), 'The batch with its pictures');
export const ZIP_LIMIT =
  'The ZIPs of one user can be downloaded ten times a minute by the user, and ten times by all others together.';
export const zipAnswer = (description: string) => ({
  200: { description, content: { 'application/zip': z.file() } },
});

export const batchRoutes = {
  createBatch: defineRoute('POST', '/api/batches', {
    tag,
    scope: 'tool',
    example: {
      tool: 'remove-image-background',
      input: {},
      items: [{ id: '1', name: 'lamp.jpg', size: 183_204 }],
    },
    summary: 'Starts a batch: one tool for many pictures',
    description:
      'The request names the pictures. Each is then sent by `POST /api/batches/{id}/items/{n}` and becomes a job. All pictures are ' +
      'charged here. If credits or plan do not cover them, nothing is accepted (402, 403). Pictures that are left out are refunded. ' +
      'Events: `batch` with each change of the counts, and `job` for each picture, with its `batchId`.',
    headers: submissionHeaders.pick({ 'Idempotency-Key': true }),
    body: newBatchSchema,
    // Enough for 200 pictures with the longest names and ids.
    bodyMaxBytes: 512 * 2 ** 10,
    answers: { 200: wholeBatch },
    errors: [
      'INSUFFICIENT_CREDITS',
      'PREMIUM_REQUIRED',
      'BUDGET_EXHAUSTED',
      'IDEMPOTENCY_MISMATCH',
      'STORAGE_FULL',
    ],
  }),
  listBatches: defineRoute('GET', '/api/batches', {
    tag,
    summary: 'The caller’s batches, newest first',
    query: batchListQuerySchema,
    answers: page({ batches: z.array(batchSchema) }, 'A page of batches'),
  }),
  getBatch: defineRoute('GET', '/api/batches/:id', {
    tag,
    summary: 'One batch with its pictures',
    params: batchId,
    answers: { 200: wholeBatch },
    errors: ['NOT_FOUND'],
  }),
  cancelBatch: defineRoute('DELETE', '/api/batches/:id', {
    tag,
    summary: 'Cancels the rest of a batch and refunds it; finished creations stay',
    params: batchId,
    answers: { 200: wholeBatch },
    errors: ['NOT_FOUND'],
  }),
  deleteBatchOriginals: defineRoute('DELETE', '/api/batches/:id/originals', {
    tag,
    summary: 'Deletes the originals of a batch, which frees their storage; its results stay',
    params: batchId,
    answers: { 200: wholeBatch },
    errors: ['NOT_FOUND'],
  }),
  sendBatchItem: defineRoute('POST', '/api/batches/:id/items/:n', {
    tag,
    scope: 'images',
    summary: 'Sends a picture of a batch and starts its job. A repeated call returns the same job',
    description:
      'The file of a picture with a result is kept as its `original`. Retry a failed or cancelled job by ' +
      '`POST /api/jobs/{id}/retry`. Its file is deleted within the hour; after that, send the picture again for a new job, which is charged.',
    params: itemOf,
    form: z.object({ image: z.file().meta({ description: describeFile('image') }) }),
    answers: ok({ item: batchItemSchema }, 'The picture'),
    errors: [
      'NOT_FOUND',
      'JOB_CANCELLED',
      'INSUFFICIENT_CREDITS',
      'JOB_NOT_RETRYABLE',
      'PREMIUM_REQUIRED',
      'STORAGE_FULL',
      'QUEUE_FULL',
      'DISK_FULL',
      'UNSUPPORTED_FILE',
      'UNREADABLE_IMAGE',
    ],
  }),
  leaveOutBatchItem: defineRoute('DELETE', '/api/batches/:id/items/:n', {
    tag,
    summary: 'Leaves a picture out of its batch and cancels its job, unless the job has succeeded',
    params: itemOf,
    answers: ok({ item: batchItemSchema }, 'The picture'),
    errors: ['NOT_FOUND', 'JOB_NOT_CANCELLABLE'],
  }),
  getBatchZip: defineRoute('GET', '/api/batches/:id/zip', {
    tag,
    summary: 'All results of a batch in one ZIP, with the original names',
    description: ZIP_LIMIT,
    params: batchId,
    answers: zipAnswer('The results so far'),
    errors: ['NOT_FOUND'],
  }),
  getBatchZipFile: defineRoute('GET', '/files/batches/:key', {
    tag: 'Files',
    summary: 'All results of a batch in one ZIP, for everyone who knows the URL',
    description: ZIP_LIMIT,
    public: true,
    params: z.object({ key: z.string() }),
    answers: zipAnswer('The results so far'),
    errors: ['NOT_FOUND', 'ACCOUNT_SUSPENDED', 'RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL'],
  }),
};
