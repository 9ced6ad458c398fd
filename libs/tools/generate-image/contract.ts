import { z } from 'zod';
import { imageSizes, pixelsOf } from '#libs/contract/image-sizes.js';
import { defineTool } from '#libs/contract/define-tool.js';
import { jobTitleFrom } from '#libs/contract/job-title.js';
import { imageCreation, imageSchema } from '#libs/contract/image-result.js';

/** In the order of the form. The first is the default. */
export const imageStyles = [
  'Realistic',
  'Ghibli style',
  'Anime style',
  'Cartoon style',
  'Fantasy style',
  'Realistic style',
  '3D style',
  'Portrait style',
] as const;
export type ImageStyle = (typeof imageStyles)[number];

export const DESCRIPTION_MAX_CHARACTERS = 4000;

export const imageInputSchema = z.object({
  prompt: z
    .string({ error: 'Describe the image.' })
    .trim()
    .min(1, 'Describe the image.')
    .max(
      DESCRIPTION_MAX_CHARACTERS,
      `Keep the description within ${DESCRIPTION_MAX_CHARACTERS.toLocaleString('en-US')} characters.`,
    )
    .meta({ description: 'What the image shows, or an instruction that a client built around it.' }),
  style: z
    .enum(imageStyles, { error: `Choose one of the styles: ${imageStyles.join(', ')}.` })
    .optional()
    .meta({ description: 'Default: a style named in `prompt`, else `Realistic`.' }),
  size: z
    .enum(imageSizes, { error: `Choose one of the sizes: ${imageSizes.join(', ')}.` })
    .default('1024x1024')
    .meta({ description: 'Width and height in pixels.' }),
  publish: z
    .boolean({ error: 'Say true or false for publish.' })
    .default(false)
    .meta({ description: 'Whether everybody sees the image in the community.' }),
});

export const generateImage = defineTool({
  title: 'AI Art Generator',
  label: 'Generate Images',
  tagline: 'Pictures from a description, in eight styles.',
  description: 'Makes an image from your description, in the style you choose.',
  order: 6,
  creation: imageCreation,
  input: imageInputSchema,
  output: imageSchema,
  queue: 'image',
  plan: 'premium',
  credits: 1,
  timeLimitSeconds: 300,
  size: ({ size }) => pixelsOf(size),
  jobTitle: ({ prompt }) => jobTitleFrom(prompt),
  successMessage: 'Image Generated',
});
