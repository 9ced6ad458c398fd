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
} from '#libs/contract/images.js';
import {
  checkPoint,
  OBJECT_NAME_DESCRIPTION,
  objectNameSchema,
  objectPointShape,
} from '#libs/contract/object-mask.js';

export const NO_OBJECT = 'Name the object to remove, or paint over it.';

export const objectInputSchema = z.object({
  object: objectNameSchema
    .default('')
    .meta({ description: `${OBJECT_NAME_DESCRIPTION} Not needed with a \`mask\`.` }),
  ...objectPointShape,
  ...sourceShape,
  ...metadataShape,
});

/**
 * The `mask` is a PNG, scaled to the size of the upright image if the sizes differ. Every mask pixel that is neither fully
 * transparent nor black marks a pixel to remove. With a mask, name and point have no effect.
 */
export const removeImageObject = defineTool({
  title: 'AI Object Eraser',
  label: 'Remove Object',
  tagline: 'Takes one thing out of a photo and fills in what was behind it.',
  description: 'Removes an object that you name or paint over from an image.',
  order: 11,
  group: 'images',
  example: { object: 'lamp' },
  creation: imageCreation,
  input: objectInputSchema,
  files: {
    image: imageToEdit,
    mask: { kind: 'mask', required: false, missing: 'Paint over the object to remove.' },
  },
  check: ({ object, x, y }, files) =>
    object || files.has('mask') ? checkPoint({ x, y }) : { field: 'object', message: NO_OBJECT },
  output: editedImageSchema,
  queue: 'image',
  runsOnModels: true,
  plan: 'premium',
  credits: 1,
  timeLimitSeconds: 300,
  jobTitle: ({ object }, { image }) => jobTitleFrom(describeRemoval(object, image ?? 'an image')),
  successMessage: 'Object removed successfully',
});

/** "car removed from photo.jpg", for lists. */
export const describeRemoval = (object: string, fileName: string) =>
  editPrompt(object || 'Painted area', fileName);
