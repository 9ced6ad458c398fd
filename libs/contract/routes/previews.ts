import { z } from 'zod';
import { describeFile } from '../limits.js';
import { maskPreviewInputSchema, maskPreviewSchema } from '../object-mask.js';
import { defineRoute, ok } from './define-route.js';

export const previewRoutes = {
  previewObjectMask: defineRoute('POST', '/api/ai/remove-image-object/mask', {
    scope: 'images',
    tag: 'Tools',
    summary: 'Previews what a removal would remove',
    description:
      'Finds the objects of a name, or the object at a point, with the models on the server. It costs no credits, starts no job ' +
      'and stores no file. If nothing is found, 422 `ENGINE_CANNOT` lists the detected objects. A user can run one at a time and ' +
      '`RATE_LIMIT_PREVIEWS` a minute (429). 503 if no worker answers in time.',
    body: maskPreviewInputSchema,
    form: maskPreviewInputSchema.extend({
      image: z
        .file()
        .optional()
        .meta({ description: describeFile('image') }),
    }),
    answers: ok(maskPreviewSchema.shape, 'The mask and what was found'),
    errors: [
      'PREMIUM_REQUIRED',
      'NOT_FOUND',
      'UNSUPPORTED_FILE',
      'UNREADABLE_IMAGE',
      'ENGINE_CANNOT',
      'DISK_FULL',
    ],
  }),
};
