import { z } from 'zod';
import { cursorSchema, limitSchema } from './pages.js';

export const creationSchema = z
  .object({
    id: z.uuid(),
    prompt: z.string(),
    type: z.string().meta({ description: '`image`, or the kind of text, such as `article`.' }),
    content: z.string().meta({ description: 'Markdown text, or the URL of an image.' }),
    thumbnail: z.string().nullable().meta({ description: 'The URL of a small version of an image.' }),
    engine: z.enum(['openai', 'offline']).meta({ description: 'What made it.' }),
    published: z.boolean(),
    page: z.string().nullable().meta({ description: 'The URL of its public page, while it is published.' }),
    created_at: z.iso.datetime(),
    likes: z.array(z.string()),
    jobId: z.uuid().nullable(),
  })
  .meta({ id: 'Creation' });
export type Creation = z.infer<typeof creationSchema>;

/** The most creations that one answer holds. */
export const CREATIONS_AT_ONCE = 500;

export const creationListQuerySchema = z.object({
  cursor: cursorSchema,
  limit: limitSchema(CREATIONS_AT_ONCE, CREATIONS_AT_ONCE),
});
export type CreationListQuery = z.infer<typeof creationListQuerySchema>;

export const publishSchema = z.object({
  publish: z
    .boolean({ error: 'Send true to publish, false to withdraw.' })
    .default(true)
    .meta({ description: 'False withdraws it.' }),
});

/** Hours for which a deleted creation can be restored. */
export const RESTORABLE_HOURS = 24;
