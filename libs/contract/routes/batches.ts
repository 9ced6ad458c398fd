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
import { defineRoute, json, success } from './define-route.js';
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
  'All ZIPs of a user together are downloaded ten times a minute by the user, and ten by everyone else.';
export const zipAnswer = (description: string) => ({
  200: { description, content: { 'application/zip': z.file() } },
});

export const batchRoutes = {
  createBatch: defineRoute('POST', '/api/batches', {
    tag,
    summary: 'Starts a batch: one tool for many pictures',
    description:
      'It names the pictures; each is then sent by `POST /api/batches/{id}/items/{n}` and becomes a job. The price of all is charged ' +
      'here, or nothing is accepted: 402 and 403 where credits or plan do not cover it. What is left out is refunded. ' +
      'Events: `batch` with each change of the counts, and `job` for each picture, with its `batchId`.',
    headers: submissionHeaders.pick({ 'Idempotency-Key': true }),
    body: newBatchSchema,
    answers: { 200: wholeBatch },
    errors: [
      'VALIDATION_FAILED',
      'INSUFFICIENT_CREDITS',
      'PREMIUM_REQUIRED',
      'IDEMPOTENCY_MISMATCH',
      'RATE_LIMITED',
    ],
  }),
  listBatches: defineRoute('GET', '/api/batches', {
    tag,
    summary: 'The caller’s batches, newest first',
    query: batchListQuerySchema,
    answers: {
      200: json(
        success({ batches: z.array(batchSchema), nextCursor: z.string().nullable() }),
        'A page of batches',
      ),
    },
    errors: ['VALIDATION_FAILED'],
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
    summary: 'Cancels what is left of a batch and gives its credits back; finished creations stay',
    params: batchId,
    answers: { 200: wholeBatch },
    errors: ['NOT_FOUND'],
  }),
  sendBatchItem: defineRoute('POST', '/api/batches/:id/items/:n', {
    tag,
    summary: 'Sends a picture of a batch and starts its job; sent again, it answers with the same job',
    description:
      'A picture whose job failed or was cancelled is tried again by `POST /api/jobs/{id}/retry`. Within the hour its file is ' +
      'deleted; sent again then, it gets a new job, which is charged.',
    params: itemOf,
    form: z.object({ image: z.file().meta({ description: describeFile('image') }) }),
    answers: { 200: json(success({ item: batchItemSchema }), 'The picture') },
    errors: [
      'VALIDATION_FAILED',
      'NOT_FOUND',
      'JOB_CANCELLED',
      'INSUFFICIENT_CREDITS',
      'JOB_NOT_RETRYABLE',
      'PREMIUM_REQUIRED',
      'STORAGE_FULL',
      'QUEUE_FULL',
      'DISK_FULL',
      'REQUEST_TOO_SLOW',
      'FILE_TOO_LARGE',
      'UNSUPPORTED_FILE',
      'UNREADABLE_IMAGE',
    ],
  }),
  leaveOutBatchItem: defineRoute('DELETE', '/api/batches/:id/items/:n', {
    tag,
    summary: 'Leaves a picture out of its batch, and cancels its job; one that is done stays',
    params: itemOf,
    answers: { 200: json(success({ item: batchItemSchema }), 'The picture') },
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
    summary: 'All results of a batch in one ZIP, for whoever knows its address',
    description: ZIP_LIMIT,
    public: true,
    params: z.object({ key: z.string() }),
    answers: zipAnswer('The results so far'),
    errors: ['NOT_FOUND', 'RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL'],
  }),
};
