import { z } from 'zod';
import type { ErrorCode } from './errors.js';
import { IMAGE_MAX_BYTES } from './config.js';
import { fileKinds } from './file-kinds.js';
import { cursorSchema, limitSchema } from './pages.js';

export const MAX_BATCH_ITEMS = 200;
/** Days after which the pictures of a batch that were not sent are left out, or `JOB_RETENTION_DAYS` where that is less. */
export const BATCH_OPEN_DAYS = 7;
/** Batches of a user whose pictures are not all sent. */
export const MAX_OPEN_BATCHES = 10;

/** The tools that take many pictures at once, each as its file `image`. */
export const batchTools = ['remove-image-background', 'remove-image-object'] as const;
export type BatchTool = (typeof batchTools)[number];

const clientId = z
  .string('Give each picture an id.')
  .min(1, 'Give each picture an id.')
  .max(100, 'The id of a picture may have up to 100 characters.')
  .meta({ description: 'The caller’s own id of the picture, different for each.' });

const newItemSchema = z.object({
  id: clientId,
  name: z
    .string('Give each picture its name.')
    .max(255, 'The name of a picture may have up to 255 characters.')
    .meta({ description: 'The name of the file, which its result has in the ZIP.' }),
  size: z
    .number('Give the size of each picture in bytes.')
    .int('Give the size of each picture in bytes.')
    .min(1, 'A picture is empty.')
    .max(IMAGE_MAX_BYTES, fileKinds.image.tooLarge)
    .meta({ description: 'In bytes.' }),
});

const NO_PICTURES = `Choose 1 to ${MAX_BATCH_ITEMS} pictures.`;

export const newBatchSchema = z.object({
  tool: z.enum(batchTools, { error: `Choose one of ${batchTools.join(', ')}.` }),
  input: z
    .record(z.string(), z.unknown(), 'Give the fields of the tool.')
    .default({})
    .meta({ description: 'The fields of the tool, the same for all pictures.' }),
  items: z
    .array(newItemSchema, NO_PICTURES)
    .min(1, NO_PICTURES)
    .max(MAX_BATCH_ITEMS, NO_PICTURES)
    .refine(
      (items) => new Set(items.map(({ id }) => id)).size === items.length,
      'Two pictures have the same id.',
    ),
});
export type NewBatch = z.infer<typeof newBatchSchema>;

export const batchItemStates = [
  'missing',
  'queued',
  'running',
  'succeeded',
  'failed',
  'cancelled',
  'left-out',
] as const;
export type BatchItemState = (typeof batchItemStates)[number];

export const batchItemSchema = z
  .object({
    n: z.number().int().meta({ description: 'Its number in the batch, from 1.' }),
    id: clientId,
    name: z.string().meta({ description: 'Empty once its creation is deleted for good.' }),
    size: z.number().int().meta({ description: 'In bytes, as the caller gave it.' }),
    state: z.enum(batchItemStates).meta({
      description: '`missing` until the picture is sent; then that of its job.',
    }),
    jobId: z.uuid().nullable().meta({ description: 'Its latest job.' }),
    sendableAgain: z.boolean().meta({
      description:
        'Whether its job failed or was cancelled and cannot be retried, since its file is gone: sent again, it gets another.',
    }),
    creationId: z.uuid().nullable(),
    content: z
      .string()
      .nullable()
      .meta({ description: 'The URL of the result, in the version that its creation shows.' }),
    thumbnail: z.string().nullable().meta({ description: 'The URL of a small version of the result.' }),
    error: z
      .object({ code: z.string() as unknown as z.ZodType<ErrorCode, ErrorCode>, message: z.string() })
      .nullable(),
  })
  .meta({ id: 'BatchItem' });
export type BatchItem = z.infer<typeof batchItemSchema>;

const count = z.number().int().min(0);

export const batchSchema = z
  .object({
    id: z.uuid(),
    tool: z.string(),
    title: z.string().meta({ description: 'A short text for lists.' }),
    input: z.record(z.string(), z.unknown()),
    status: z.enum(['open', 'ended', 'cancelled']).meta({
      description: '`open` while pictures are missing or being worked on.',
    }),
    counts: z
      .object({
        total: count,
        missing: count,
        queued: count,
        running: count,
        succeeded: count,
        failed: count,
        cancelled: count,
        leftOut: count,
      })
      .meta({ description: 'How many pictures are in each state.' }),
    credits: count.meta({ description: 'What one picture cost; all were charged with the batch.' }),
    zip: z.string().nullable().meta({
      description:
        'The URL of all results in one ZIP, for whoever knows it; null while there is none. Also `GET /api/batches/{id}/zip`.',
    }),
    revision: count.meta({
      description: 'Grows with each change of the batch or of one of its jobs: the greater is the newer.',
    }),
    createdAt: z.iso.datetime(),
    openUntil: z.iso.datetime().meta({ description: 'Pictures that are missing then are left out.' }),
  })
  .meta({ id: 'Batch' });
export type Batch = z.infer<typeof batchSchema>;

export const batchWithItemsSchema = batchSchema
  .extend({ items: z.array(batchItemSchema) })
  .meta({ id: 'BatchWithItems' });
export type BatchWithItems = z.infer<typeof batchWithItemsSchema>;

const MAX_BATCHES_LISTED = 50;

export const batchListQuerySchema = z.object({
  tool: z
    .enum(batchTools, { error: `Choose one of ${batchTools.join(', ')}.` })
    .optional()
    .meta({ description: 'Only batches of this tool.' }),
  cursor: cursorSchema,
  limit: limitSchema(MAX_BATCHES_LISTED, 20),
});
export type BatchListQuery = z.infer<typeof batchListQuerySchema>;
