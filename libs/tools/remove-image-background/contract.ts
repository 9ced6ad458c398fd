import { z } from 'zod';
import { defineTool } from '#libs/contract/define-tool.js';
import { jobTitleFrom } from '#libs/contract/text.js';
import {
  editedImageSchema,
  editPrompt,
  imageCreation,
  imageToEdit,
  sourceShape,
  metadataShape,
  boxShape,
  checkBox,
} from '#libs/contract/images.js';

export const backgroundInputSchema = z.object({ ...boxShape, ...sourceShape, ...metadataShape });

export const removeImageBackground = defineTool({
  title: 'AI Background Eraser',
  label: 'Remove Background',
  tagline: 'Cuts the subject of a photo out of its background.',
  description: 'Makes the background of an image transparent.',
  order: 10,
  group: 'images',
  example: {},
  creation: imageCreation,
  input: backgroundInputSchema,
  files: { image: imageToEdit },
  check: checkBox,
  output: editedImageSchema,
  queue: 'image',
  runsOnModels: true,
  plan: 'premium',
  credits: 1,
  timeLimitSeconds: 300,
  jobTitle: (_input, { image }) => jobTitleFrom(editPrompt('Background', image ?? 'an image')),
  successMessage: 'Background removed successfully',
});
