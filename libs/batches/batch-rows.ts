import { z } from 'zod';
import { imageWarningSchema } from '#libs/contract/images.js';
import {
  BATCH_OPEN_DAYS,
  EMPTY_BATCH_DAYS,
  type Batch,
  type BatchItem,
  type BatchItemState,
  type BatchTool,
} from '#libs/contract/batches.js';
import type { ErrorCode } from '#libs/contract/errors.js';
import { jobTitleFrom } from '#libs/contract/text.js';
import { jobStatuses } from '#libs/contract/jobs.js';
import { queryRows, type Database } from '#libs/database/sql.js';
import { pathOf, toUrl } from '#libs/storage/object-key.js';
import { tools } from '#libs/tools/catalogue.js';
import { IS_SENDABLE_AGAIN } from './batch-items.js';

const DAY_MS = 24 * 3_600_000;

/** Settings used to convert batches to the API format. */
export interface BatchSettings {
  publicUrl: string;
  /** Days after which batches are deleted. */
  retentionDays: number;
}

export const defaultBatchSettings: BatchSettings = { publicUrl: '', retentionDays: BATCH_OPEN_DAYS };

/** Days after which pictures that were not uploaded are left out. */
export const openDaysOf = (retentionDays: number, hasSent: boolean) =>
  Math.min(retentionDays, hasSent ? BATCH_OPEN_DAYS : EMPTY_BATCH_DAYS);

const counts = ['total', 'missing', 'queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;

const batchRowSchema = z.object({
  id: z.string(),
  user_id: z.string(),
  tool: z.string().transform((tool) => tool as BatchTool),
  input: z.record(z.string(), z.unknown()),
  zip_key: z.string(),
  credits: z.number(),
  created_at: z.date(),
  cancelled_at: z.date().nullable(),
  revision: z.coerce.number(),
  ...(Object.fromEntries(counts.map((name) => [name, z.number()])) as Record<
    (typeof counts)[number],
    z.ZodNumber
  >),
  has_sent: z.boolean(),
  left_out: z.number(),
  to_check: z.number(),
  has_results: z.boolean(),
});
export type BatchRow = z.infer<typeof batchRowSchema>;

/** SQL join of a picture's creation; deleted creations are excluded. */
const CREATION = `creations ON creations.job_id = batch_items.job_id AND creations.deleted_at IS NULL`;

/** The warnings of a picture whose result is still the one that the tool made. */
const WARNINGS = `CASE WHEN creations.content = jobs.result ->> 'content' THEN coalesce(jobs.result -> 'warnings', '[]') ELSE '[]' END`;

/** @param which SQL condition on `batches`, followed by ORDER BY and LIMIT */
export const readBatches = (database: Database, which: string, parameters: unknown[]): Promise<BatchRow[]> =>
  queryRows(
    database,
    batchRowSchema,
    `SELECT batches.id, batches.user_id, batches.tool, batches.input, batches.zip_key, batches.credits, batches.created_at,
       batches.cancelled_at, counted.*,
       batches.revision + (SELECT coalesce(sum(revision + 1), 0) FROM jobs WHERE batch_id = batches.id) AS revision
     FROM batches CROSS JOIN LATERAL (
       SELECT count(*)::integer AS total, count(creations.id) > 0 AS has_results,
         coalesce(bool_or(sent), false) AS has_sent, count(*) FILTER (WHERE left_out)::integer AS left_out,
         count(*) FILTER (WHERE jsonb_array_length(${WARNINGS}) > 0)::integer AS to_check,
         count(*) FILTER (WHERE NOT left_out AND NOT sent)::integer AS missing,
         ${jobStatuses
           .map(
             (status) =>
               `count(*) FILTER (WHERE NOT left_out AND jobs.status = '${status}')::integer AS ${status}`,
           )
           .join(', ')}
       FROM batch_items LEFT JOIN jobs ON jobs.id = batch_items.job_id LEFT JOIN ${CREATION}
       WHERE batch_items.batch_id = batches.id) AS counted
     WHERE ${which}`,
    parameters,
  );

export function toBatch(row: BatchRow, { publicUrl, retentionDays }: BatchSettings): Batch {
  const {
    total,
    missing,
    queued,
    running,
    succeeded,
    failed,
    cancelled,
    left_out: leftOut,
    to_check: toCheck,
  } = row;
  return {
    id: row.id,
    tool: row.tool,
    title: titleOf(row),
    input: row.input,
    status: row.cancelled_at ? 'cancelled' : isOpen(row) ? 'open' : 'ended',
    counts: { total, missing, queued, running, succeeded, failed, cancelled, leftOut, toCheck },
    credits: row.credits,
    zip: row.has_results ? toZipUrl(row.zip_key, publicUrl) : null,
    revision: row.revision,
    createdAt: row.created_at.toISOString(),
    openUntil: new Date(
      row.created_at.getTime() + openDaysOf(retentionDays, row.has_sent) * DAY_MS,
    ).toISOString(),
  };
}

export const isOpen = ({ missing, queued, running }: BatchRow) => missing + queued + running > 0;

const toZipUrl = (key: string, publicUrl: string) =>
  toUrl(pathOf(key), publicUrl).replace('/files/', '/files/batches/');

function titleOf({ tool, input, total }: BatchRow): string {
  const object = typeof input.object === 'string' && input.object !== '' ? ` “${input.object}”` : '';
  return jobTitleFrom(`${tools[tool].label}${object}: ${total} ${total === 1 ? 'picture' : 'pictures'}`);
}

const itemRowSchema = z.object({
  n: z.number(),
  client_id: z.string(),
  name: z.string(),
  bytes: z.number(),
  left_out: z.boolean(),
  sendable_again: z.boolean(),
  /** `id`, `status` and the other columns of the job are null until the picture is uploaded. */
  id: z.string().nullable(),
  status: z.enum(jobStatuses).nullable(),
  creation_id: z.string().nullable(),
  /** `content` and `thumbnail`: paths of the creation's current image and its thumbnail. */
  content: z.string().nullable(),
  thumbnail: z.string().nullable(),
  warnings: z.array(imageWarningSchema),
  original: z.string().nullable(),
  original_bytes: z.number().nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
});
export type BatchItemRow = z.infer<typeof itemRowSchema>;

/** @param n number of a single picture; default: all pictures in order */
export const readBatchItems = (database: Database, batchId: string, n?: number): Promise<BatchItemRow[]> =>
  queryRows(
    database,
    itemRowSchema,
    `SELECT n, client_id, batch_items.name, batch_items.bytes, left_out, coalesce(${IS_SENDABLE_AGAIN}, false) AS sendable_again, jobs.id, status, error_code, error_message,
       creations.id AS creation_id, creations.content, ${WARNINGS} AS warnings,
       (SELECT '/files/' || key FROM objects WHERE creation_id = creations.id AND kind = 'thumbnail' AND removed_at IS NULL) AS thumbnail,
       '/files/' || originals.key AS original, originals.bytes AS original_bytes
     FROM batch_items JOIN batches ON batches.id = batch_id LEFT JOIN jobs ON jobs.id = batch_items.job_id
       LEFT JOIN ${CREATION}
       LEFT JOIN objects originals ON originals.creation_id = creations.id AND originals.kind = 'original' AND originals.removed_at IS NULL
     WHERE batch_items.batch_id = $1 AND ($2::integer IS NULL OR n = $2) ORDER BY n`,
    [batchId, n ?? null],
  );

export const stateOf = ({ left_out, status }: BatchItemRow): BatchItemState =>
  left_out ? 'left-out' : (status ?? 'missing');

export function toBatchItem(row: BatchItemRow, publicUrl: string): BatchItem {
  const state = stateOf(row);
  return {
    n: row.n,
    id: row.client_id,
    name: row.name,
    size: row.bytes,
    state,
    jobId: row.id,
    sendableAgain: row.sendable_again,
    creationId: row.creation_id,
    content: row.content && toUrl(row.content, publicUrl),
    thumbnail: row.thumbnail && toUrl(row.thumbnail, publicUrl),
    warnings: row.warnings,
    original: row.original && toUrl(row.original, publicUrl),
    error:
      state === 'failed' && row.error_code
        ? { code: row.error_code as ErrorCode, message: row.error_message ?? '' }
        : null,
  };
}

const resultFileSchema = z.object({
  name: z.string(),
  key: z.string().nullable(),
  type: z.string().nullable(),
  bytes: z.number().nullable(),
});

/** All pictures of a batch under their uploaded names, with the files of their results, which are null for a picture without one. */
export const readResultFiles = (database: Database, batchId: string) =>
  queryRows(
    database,
    resultFileSchema,
    `SELECT batch_items.name, objects.key, objects.type, objects.bytes
     FROM batch_items
     LEFT JOIN ${CREATION}
     LEFT JOIN objects ON creations.content = '/files/' || objects.key AND objects.removed_at IS NULL
     WHERE batch_items.batch_id = $1 ORDER BY n`,
    [batchId],
  );
