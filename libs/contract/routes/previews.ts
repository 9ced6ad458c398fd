import { z } from 'zod';
import { describeFile } from '../limits.js';
import { maskPreviewInputSchema, maskPreviewSchema } from '../object-mask.js';
import { defineRoute, json, success } from './define-route.js';

export const previewRoutes = {
  previewObjectMask: defineRoute('POST', '/api/ai/remove-image-object/mask', {
    tag: 'Tools',
    summary: 'Shows what a removal would take out',
    description:
      'Finds the objects of a name, or whatever is seen at a point, with the models on the server, and removes nothing. It costs ' +
      'no credit, starts no job and keeps no file. Where nothing is found, 422 `ENGINE_CANNOT` tells what the image shows. A user ' +
      'has one at a time and `RATE_LIMIT_PREVIEWS` a minute (429); where no worker answers in time, 503.',
    body: maskPreviewInputSchema,
    form: maskPreviewInputSchema.extend({
      image: z
        .file()
        .optional()
        .meta({ description: describeFile('image') }),
    }),
    answers: { 200: json(success(maskPreviewSchema.shape), 'The mask and what was found') },
    errors: [
      'VALIDATION_FAILED',
      'PREMIUM_REQUIRED',
      'NOT_FOUND',
      'REQUEST_TOO_SLOW',
      'FILE_TOO_LARGE',
      'UNSUPPORTED_FILE',
      'UNREADABLE_IMAGE',
      'ENGINE_CANNOT',
      'DISK_FULL',
      'UNAVAILABLE',
    ],
  }),
};
