import { z } from 'zod';
import { imageSizes, pixelsOf, imageCreation, imageSchema, sourceShape } from '#libs/contract/images.js';
import { requiredText } from '#libs/contract/required-text.js';
import { jobTitleFrom } from '#libs/contract/text.js';
import { defineTool } from '#libs/contract/define-tool.js';

/** Shown by the form in this order. The first is the default. */
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

export const MOST_IMAGES = 4;
export const MAX_SEED = 2 ** 32 - 1;
const SEED_MESSAGE = `A seed is a whole number from 0 to ${MAX_SEED}.`;
const COUNT_MESSAGE = `Ask for 1 to ${MOST_IMAGES} images at once.`;

export const imageInputSchema = z.object({
  prompt: requiredText('Describe the image.', 'description', DESCRIPTION_MAX_CHARACTERS).meta({
    description: 'What the image shows, or an instruction that a client built around it.',
  }),
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
  count: z.int(COUNT_MESSAGE).min(1, COUNT_MESSAGE).max(MOST_IMAGES, COUNT_MESSAGE).default(1).meta({
    description:
      'How many different images to make. Each is a job with its own charge; all start, or none does.',
  }),
  seed: z.int(SEED_MESSAGE).min(0, SEED_MESSAGE).max(MAX_SEED, SEED_MESSAGE).optional().meta({
    description:
      'This server’s own engine draws the same image again for the same input and seed; further images of the request have the next seeds. An AI service has none and ignores it. Default: another one each time.',
  }),
  creation: sourceShape.creation.meta({
    description:
      'The id of an image of the caller’s creations, which the AI service changes as the prompt says. This server’s own engine cannot.',
  }),
});

const imageOutputSchema = imageSchema.extend({
  seed: z.int().nullable().meta({ description: 'What it was drawn from; null of an AI service.' }),
});

export const generateImage = defineTool({
  title: 'AI Art Generator',
  label: 'Generate Images',
  tagline: 'Pictures from a description, in eight styles.',
  description: 'Makes an image from your description, in the style you choose.',
  order: 9,
  group: 'images',
  example: { prompt: 'A fox in the snow', style: 'Realistic style' },
  creation: imageCreation,
  input: imageInputSchema,
  // Jobs stored before the field `count` was added can still be retried, so a missing count means 1.
  copies: ({ count = 1, seed, ...input }) =>
    Array.from({ length: count }, (_, index) => ({
      ...input,
      count: 1,
      ...(seed !== undefined && { seed: (seed + index) % (MAX_SEED + 1) }),
    })),
  output: imageOutputSchema,
  queue: 'image',
  plan: 'premium',
  credits: 1,
  timeLimitSeconds: 300,
  size: ({ size }) => pixelsOf(size),
  jobTitle: ({ prompt }) => jobTitleFrom(prompt),
  successMessage: 'Image Generated',
});
