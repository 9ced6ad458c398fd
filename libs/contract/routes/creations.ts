import { z } from 'zod';
import { creationSchema, ownCreationsQuerySchema, ownCreationsSchema, publishSchema } from '../creations.js';
import { defineRoute, json, success } from './define-route.js';

const tag = 'Creations';
export const creationId = z.object({ id: z.uuid().meta({ description: 'The creation’s id.' }) });
const changedCreation = json(success({ message: z.string(), creation: creationSchema }), 'The creation');

export const creationRoutes = {
  listCreations: defineRoute('GET', '/api/user/get-user-creations', {
    tag,
    summary: 'The caller’s creations, newest first; searched, filtered and in pages where that is asked for',
    query: ownCreationsQuerySchema,
    answers: { 200: json(success(ownCreationsSchema.shape), 'The creations') },
    errors: ['VALIDATION_FAILED'],
  }),
  getCreation: defineRoute('GET', '/api/user/creations/:id', {
    tag,
    summary: 'One creation of the caller',
    params: creationId,
    answers: { 200: json(success({ creation: creationSchema }), 'The creation') },
    errors: ['NOT_FOUND'],
  }),
  deleteCreation: defineRoute('DELETE', '/api/user/creations/:id', {
    tag,
    summary: 'Deletes a creation; for a day it can be restored',
    params: creationId,
    answers: {
      200: json(success({ message: z.string(), restorableUntil: z.iso.datetime() }), 'It is deleted'),
    },
    errors: ['NOT_FOUND'],
  }),
  restoreCreation: defineRoute('POST', '/api/user/creations/:id/restore', {
    tag,
    summary: 'Brings a deleted creation back as it was',
    params: creationId,
    answers: { 200: changedCreation },
    errors: ['NOT_FOUND'],
  }),
  publishCreation: defineRoute('POST', '/api/user/creations/:id/publish', {
    tag,
    summary: 'Publishes an image, or withdraws it',
    params: creationId,
    body: publishSchema,
    bodyRequired: false,
    answers: { 200: changedCreation },
    errors: ['VALIDATION_FAILED', 'FORBIDDEN', 'NOT_FOUND'],
  }),
};
