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

export const imageToEdit = { kind: 'image', required: true, missing: NO_IMAGE } as const;

export const imageCreation = { type: 'image', label: 'Image' } as const;
