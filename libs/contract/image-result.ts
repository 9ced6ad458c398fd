import { z } from 'zod';
import { madeByShape } from './engine-name.js';

/** The result of every tool that makes an image. */
export const imageSchema = z.object({
  content: z.string().meta({ description: 'The URL of the image, a JPEG.' }),
  thumbnail: z
    .string()
    .meta({ description: 'The URL of a small version, a WebP of at most 480 pixels a side.' }),
  width: z.number().int().meta({ description: 'In pixels.' }),
  height: z.number().int().meta({ description: 'In pixels.' }),
  ...madeByShape,
  notice: z.string().nullable().meta({ description: 'What the user should know about the image.' }),
});

const sizeOfImageSent = z.number().int().meta({ description: 'In pixels: that of the image sent, upright.' });

export const editedImageSchema = imageSchema.extend({
  content: z.string().meta({ description: 'The URL of the changed image, a PNG.' }),
  width: sizeOfImageSent,
  height: sizeOfImageSent,
});

export const NO_IMAGE = 'Choose an image.';

export const imageToEdit = { kind: 'image', required: true, missing: NO_IMAGE, orCreation: true } as const;

/** What an image is called that came from a creation: its prompt is private, and this name may be published. */
export const EARLIER_IMAGE = 'an earlier image';

/** The field of a tool that takes an image of the user's own from here. */
export const sourceShape = {
  creation: z.uuid('Give the id of one of your creations.').optional().meta({
    description: 'The id of an image of the caller’s creations: what the job works on, without an upload.',
  }),
};

/** The creation that the input of a job names. */
export function sourceOf(input: unknown): string | undefined {
  const { creation } = (input ?? {}) as { creation?: unknown };
  return typeof creation === 'string' ? creation : undefined;
}

export const imageCreation = { type: 'image', label: 'Image' } as const;
