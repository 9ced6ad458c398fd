import { z } from 'zod';
import { madeByShape } from './engine-name.js';
import { AppError } from './errors.js';

/** A link by which anybody who has it may read a text. */
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
    .meta({
      description: 'Whether it shows later edits. False keeps the text as it is now, each time it is sent.',
    }),
});

export const sharedTextSchema = z
  .object({
    title: z.string(),
    content: z.string().meta({ description: 'Markdown.' }),
    author: z.string(),
    ...madeByShape,
    createdAt: z.iso.datetime().meta({ description: 'When the text was made.' }),
  })
  .meta({ id: 'SharedText' });
export type SharedText = z.infer<typeof sharedTextSchema>;

export const shareNotFound = () =>
  new AppError('NOT_FOUND', 'There is no shared text at this address. It may have been withdrawn.');
