import { z } from 'zod';
import { imageWarningSchema } from './images.js';
import { count, jobErrorSchema, jobStatuses } from './jobs.js';
import { fileKinds, IMAGE_MAX_BYTES } from './limits.js';
import { cursorSchema, limitSchema } from './pagination.js';

export const MAX_BATCH_ITEMS = 200;
/** Days to upload a batch's pictures, or `JOB_RETENTION_DAYS` if less. Pictures still missing then are refunded. */
export const BATCH_OPEN_DAYS = 7;
/** Days in which the first picture of a batch must be uploaded, or `JOB_RETENTION_DAYS` if less. */
export const EMPTY_BATCH_DAYS = 1;
/** Maximum batches per user whose pictures are not all uploaded. */
export const MAX_OPEN_BATCHES = 10;

/** The tools that a batch can run. Each must have a file field `image`. */
export const batchTools = ['remove-image-background', 'remove-image-object'] as const;
export type BatchTool = (typeof batchTools)[number];
const batchToolSchema = z.enum(batchTools, { error: `Choose one of ${batchTools.join(', ')}.` });

const clientId = z
  .string('Give each picture an id.')
  .min(1, 'Give each picture an id.')
  .max(100, 'The id of a picture may have up to 100 characters.')
  .meta({ description: 'An id that the caller chooses, unique in the batch.' });

const newItemSchema = z.object({
  id: clientId,
  name: z
    .string('Give each picture its name.')
    .max(255, 'The name of a picture may have up to 255 characters.')
    .meta({ description: 'The file’s name. Its result has the same name in the ZIP.' }),
  size: z
    .number('Give the size of each picture in bytes.')
    .int('Give the size of each picture in bytes.')
    .min(1, 'A picture is empty.')
    .max(IMAGE_MAX_BYTES, fileKinds.image.tooLarge)
    .meta({ description: 'In bytes.' }),
});

const NO_PICTURES = `Choose 1 to ${MAX_BATCH_ITEMS} pictures.`;

export const newBatchSchema = z.object({
  tool: batchToolSchema,
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

export const batchItemStates = ['missing', ...jobStatuses, 'left-out'] as const;
export type BatchItemState = (typeof batchItemStates)[number];

export const batchItemSchema = z
  .object({
    n: z.number().int().meta({ description: 'The picture’s number in the batch, from 1.' }),
    id: clientId,
    name: z.string().meta({ description: 'Empty after its creation was deleted for good.' }),
    size: z.number().int().meta({ description: 'In bytes, as the caller gave it.' }),
    state: z.enum(batchItemStates).meta({
      description: '`missing` until the picture is sent; then the state of its job.',
    }),
    jobId: z.uuid().nullable().meta({ description: 'Its latest job.' }),
    sendableAgain: z.boolean().meta({
      description:
        'Whether its job failed or was cancelled and cannot be retried because its file was deleted. Sending the picture again starts a new job.',
    }),
    creationId: z.uuid().nullable(),
    content: z
      .string()
      .nullable()
      .meta({ description: 'The URL of the result, in its creation’s current version.' }),
    thumbnail: z.string().nullable().meta({ description: 'The URL of a small version of the result.' }),
    warnings: z.array(imageWarningSchema).meta({
      description: 'What to check in the result, until the picture is changed.',
    }),
    original: z.string().nullable().meta({
      description: 'The URL of the picture as it was sent, kept while its result and its batch exist.',
    }),
    error: jobErrorSchema.nullable(),
  })
  .meta({ id: 'BatchItem' });
export type BatchItem = z.infer<typeof batchItemSchema>;

export const batchSchema = z
  .object({
    id: z.uuid(),
    tool: z.string(),
    title: z.string().meta({ description: 'A short text for lists.' }),
    input: z.record(z.string(), z.unknown()),
    status: z.enum(['open', 'ended', 'cancelled']).meta({
      description: '`open` while pictures are missing or their jobs run.',
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
        toCheck: count.meta({ description: 'Of the succeeded, those with warnings.' }),
      })
      .meta({ description: 'The number of pictures in each state.' }),
    credits: count.meta({
      description: 'Credits for one picture; all pictures were charged when the batch was created.',
    }),
    zip: z.string().nullable().meta({
      description:
        'The URL of a ZIP of all results, readable by everyone who knows it; null without results. Also `GET /api/batches/{id}/zip`.',
    }),
    revision: count.meta({
      description: 'Grows with each change of the batch or of one of its jobs: the greater is the newer.',
    }),
    createdAt: z.iso.datetime(),
    openUntil: z.iso.datetime().meta({
      description:
        'Pictures that are still missing at this time are left out. A day after the creation until the first picture is sent.',
    }),
  })
  .meta({ id: 'Batch' });
export type Batch = z.infer<typeof batchSchema>;

export const batchWithItemsSchema = batchSchema
  .extend({
    items: z.array(batchItemSchema),
    originals: z
      .object({ count, bytes: count })
      .meta({ description: 'The stored originals. They count towards the storage.' }),
  })
  .meta({ id: 'BatchWithItems' });
export type BatchWithItems = z.infer<typeof batchWithItemsSchema>;

export const batchListQuerySchema = z.object({
  tool: batchToolSchema.optional().meta({ description: 'Only batches of this tool.' }),
  cursor: cursorSchema,
  limit: limitSchema(50),
});
export type BatchListQuery = z.infer<typeof batchListQuerySchema>;
