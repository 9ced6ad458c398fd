import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { publishedCreationSchema, toggledLikeSchema, toggleLikeSchema } from '#libs/contract/community.js';
import { creationListQuerySchema } from '#libs/contract/creations.js';
import { COMMON, failures, json, success } from '../answers.js';

export const communityPaths: ZodOpenApiPathsObject = {
  '/api/user/get-published-creations': {
    get: {
      tags: ['Community'],
      operationId: 'list-published-creations',
      summary: 'Everybody’s published images, newest first',
      requestParams: { query: creationListQuerySchema },
      responses: {
        200: json(
          success({ creations: z.array(publishedCreationSchema), nextCursor: z.string().nullable() }),
          'A page of images',
        ),
        ...failures(['VALIDATION_FAILED', ...COMMON]),
      },
    },
  },
  '/api/user/toggle-like-creation': {
    post: {
      tags: ['Community'],
      operationId: 'toggle-like',
      summary: 'Likes a published image, or takes the like back',
      requestBody: { required: true, content: { 'application/json': { schema: toggleLikeSchema } } },
      responses: {
        200: json(success({ message: z.string(), ...toggledLikeSchema.shape }), 'How it is now'),
        ...failures(['VALIDATION_FAILED', 'NOT_FOUND', ...COMMON]),
      },
    },
  },
};
