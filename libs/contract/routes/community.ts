import { z } from 'zod';
import { publishedCreationSchema, toggledLikeSchema, toggleLikeSchema } from '../sharing.js';
import { creationListQuerySchema } from '../creations.js';
import { appealSchema, REPORTS_PER_DAY, reportSchema } from '../moderation.js';
import { creationId } from './creations.js';
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
  reportPicture: defineRoute('POST', '/api/community/creations/:id/report', {
    tag,
    summary: 'Reports a published image to whoever runs the server, and hides it from the caller',
    description:
      `Each user has one report for an image: reporting it again changes nothing. At most ${REPORTS_PER_DAY} images a day. ` +
      'The image is hidden from everyone after `REPORTS_TO_HIDE` reports that count: those of accounts that are at least ' +
      '`REPORTS_MIN_ACCOUNT_HOURS` old and, where the server sends mail, have a confirmed address. ' +
      'Its owner never learns who reported it. After an operator closed the report, the image can be reported again, ' +
      'but not if the operator approved or restored it and it was not changed since (403).',
    scope: null,
    params: creationId,
    body: reportSchema,
    example: { reason: 'violence' },
    answers: ok({ message: z.string() }, 'The report is stored'),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  appealModeration: defineRoute('POST', '/api/user/creations/:id/appeal', {
    tag,
    summary: 'Answers, once, the decision that hid or refused an image of the caller',
    scope: null,
    params: creationId,
    body: appealSchema,
    example: { text: 'It is a drawing of my own hand.' },
    answers: ok({ message: z.string() }, 'The answer is stored'),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
};
