import { z } from 'zod';
import { creationSchema } from './creations.js';

export const publishedCreationSchema = creationSchema
  .omit({
    ...{ name: true, favourite: true, tags: true },
    ...{ jobId: true, settings: true, madeFrom: true, revision: true, editable: true },
  })
  .extend({
    likeCount: z.number().int().min(0),
    likedByMe: z.boolean(),
    author: z.object({ name: z.string(), imageUrl: z.string().nullable() }),
  })
  .meta({ id: 'PublishedCreation' });
/** An image that its author published. Its addresses are valid until it is withdrawn. */
export type PublishedCreation = z.infer<typeof publishedCreationSchema>;

export const toggleLikeSchema = z.object({
  id: z.string({ error: 'Name the creation by its id.' }).min(1, 'Name the creation by its id.'),
});

export const toggledLikeSchema = z.object({
  liked: z.boolean().meta({ description: 'Whether the caller likes it now.' }),
  likeCount: z.number().int().min(0),
});
export type ToggledLike = z.infer<typeof toggledLikeSchema>;
