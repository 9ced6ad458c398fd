import { z } from 'zod';
import { publishedCreationSchema, toggledLikeSchema, toggleLikeSchema } from '../sharing.js';
import { creationListQuerySchema } from '../creations.js';
import { defineRoute, ok, page } from './define-route.js';

const tag = 'Community';

export const communityRoutes = {
  listPublishedCreations: defineRoute('GET', '/api/user/get-published-creations', {
    tag,
    summary: 'The published images of all users, newest first',
    query: creationListQuerySchema,
    answers: page({ creations: z.array(publishedCreationSchema) }, 'A page of images'),
  }),
  toggleLike: defineRoute('POST', '/api/user/toggle-like-creation', {
    tag,
    summary: 'Likes a published image, or removes the like',
    body: toggleLikeSchema,
    answers: ok({ message: z.string(), ...toggledLikeSchema.shape }, 'The current state'),
    errors: ['NOT_FOUND'],
  }),
};
