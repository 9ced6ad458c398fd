import { z } from 'zod';
import { creationSchema } from './creations.js';
import { engineShape } from './engine.js';
import { AppError } from './errors.js';

export const publishedCreationSchema = creationSchema
  .omit({
    ...{ name: true, favourite: true, tags: true },
    ...{ jobId: true, settings: true, madeFrom: true, revision: true, editable: true, moderation: true },
  })
  .extend({
    likeCount: z.number().int().min(0),
    likedByMe: z.boolean(),
    prompt: z.string().meta({ description: 'The caption, or without one the prompt.' }),
    author: z.object({ name: z.string(), imageUrl: z.string().nullable() }),
  })
  .meta({ id: 'PublishedCreation' });
/** A published image. Its URLs stop working when its author unpublishes it. */
export type PublishedCreation = z.infer<typeof publishedCreationSchema>;

export const toggleLikeSchema = z.object({
  id: z.string({ error: 'Name the creation by its id.' }).min(1, 'Name the creation by its id.'),
});

export const toggledLikeSchema = z.object({
  liked: z.boolean().meta({ description: 'Whether the caller likes it now.' }),
  likeCount: z.number().int().min(0),
});
export type ToggledLike = z.infer<typeof toggledLikeSchema>;

/** A public link to a text. */
export const shareSchema = z
  .object({
    url: z.string().meta({ description: 'The address, which cannot be guessed.' }),
    live: z
      .boolean()
      .meta({ description: 'Whether it shows later edits; otherwise the text as it was shared.' }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Share' });
export type Share = z.infer<typeof shareSchema>;

export const setShareSchema = z.object({
  live: z
    .boolean({ error: 'Send true to show later edits, false for the text as it is now.' })
    .default(true)
    .meta({ description: 'True shows later edits. False shows the text as it is at this request.' }),
});

export const sharedTextSchema = z
  .object({
    title: z.string(),
    content: z.string().meta({ description: 'Markdown.' }),
    author: z.string(),
    ...engineShape,
    createdAt: z.iso.datetime().meta({ description: 'When the text was generated.' }),
  })
  .meta({ id: 'SharedText' });
export type SharedText = z.infer<typeof sharedTextSchema>;

export const shareNotFound = () =>
  new AppError('NOT_FOUND', 'There is no shared text at this address. It may have been withdrawn.');
