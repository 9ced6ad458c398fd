import { z } from 'zod';
import { publishedCreationSchema, toggledLikeSchema, toggleLikeSchema } from '../sharing.js';
import { creationListQuerySchema } from '../creations.js';
import { defineRoute, json, success } from './define-route.js';

const tag = 'Community';

export const communityRoutes = {
  listPublishedCreations: defineRoute('GET', '/api/user/get-published-creations', {
    tag,
    summary: 'The published images of all users, newest first',
    query: creationListQuerySchema,
    answers: {
      200: json(
        success({ creations: z.array(publishedCreationSchema), nextCursor: z.string().nullable() }),
        'A page of images',
      ),
    },
  }),
  toggleLike: defineRoute('POST', '/api/user/toggle-like-creation', {
    tag,
    summary: 'Likes a published image, or removes the like',
    body: toggleLikeSchema,
    answers: { 200: json(success({ message: z.string(), ...toggledLikeSchema.shape }), 'The current state') },
    errors: ['NOT_FOUND'],
  }),
};
