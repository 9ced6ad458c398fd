import { z } from 'zod';
import { defineTool } from '../define-tool.js';
import { engineNameSchema } from '../engine-name.js';
import { jobTitleFrom } from '../job-title.js';

export const backgroundInputSchema = z.object({});

export const backgroundOutputSchema = z.object({
  content: z.string().meta({ description: 'The URL of the image, a PNG with a transparent background.' }),
  thumbnail: z
    .string()
    .meta({ description: 'The URL of a small version, a WebP of at most 480 pixels a side.' }),
  width: z.number().int().meta({ description: 'In pixels: that of the image sent, upright.' }),
  height: z.number().int().meta({ description: 'In pixels: that of the image sent, upright.' }),
  engine: engineNameSchema,
  notice: z.string().nullable().meta({ description: 'What the person should know of the result.' }),
});

export const NO_IMAGE = 'Choose an image.';

export const removeImageBackground = defineTool({
  title: 'AI Background Eraser',
  description: 'Makes the background of an image transparent.',
  input: backgroundInputSchema,
  files: { image: { kind: 'image', required: true, missing: NO_IMAGE } },
  output: backgroundOutputSchema,
  queue: 'image',
  plan: 'premium',
  credits: 1,
  timeLimitSeconds: 300,
  jobTitle: (_input, { image }) => jobTitleFrom(`Background removed from ${image ?? 'an image'}`),
  successMessage: 'Background removed successfully',
});
