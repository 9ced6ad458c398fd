import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import {
  creationSchema,
  ownCreationsQuerySchema,
  ownCreationsSchema,
  publishSchema,
} from '#libs/contract/creations.js';
import { COMMON, failures, json, success } from '../answers.js';

export const creationId = z.object({ id: z.uuid().meta({ description: 'The creation’s id.' }) });

const withCreation = success({ message: z.string(), creation: creationSchema });

export const creationPaths: ZodOpenApiPathsObject = {
  '/api/user/get-user-creations': {
    get: {
      tags: ['Creations'],
      operationId: 'list-creations',
      summary: 'What the caller made, newest first; searched, filtered and in pages where that is asked for',
      requestParams: { query: ownCreationsQuerySchema },
      responses: {
        200: json(success(ownCreationsSchema.shape), 'The creations'),
        ...failures(['VALIDATION_FAILED', ...COMMON]),
      },
    },
  },
  '/api/user/creations/{id}': {
    get: {
      tags: ['Creations'],
      operationId: 'get-creation',
      summary: 'One creation of the caller',
      requestParams: { path: creationId },
      responses: {
        200: json(success({ creation: creationSchema }), 'The creation'),
        ...failures(['NOT_FOUND', ...COMMON]),
      },
    },
    delete: {
      tags: ['Creations'],
      operationId: 'delete-creation',
      summary: 'Deletes a creation; for a day it can be restored',
      requestParams: { path: creationId },
      responses: {
        200: json(success({ message: z.string(), restorableUntil: z.iso.datetime() }), 'It is gone'),
        ...failures(['NOT_FOUND', ...COMMON]),
      },
    },
  },
  '/api/user/creations/{id}/restore': {
    post: {
      tags: ['Creations'],
      operationId: 'restore-creation',
      summary: 'Brings a deleted creation back as it was',
      requestParams: { path: creationId },
      responses: { 200: json(withCreation, 'The creation'), ...failures(['NOT_FOUND', ...COMMON]) },
    },
  },
  '/api/user/creations/{id}/publish': {
    post: {
      tags: ['Creations'],
      operationId: 'publish-creation',
      summary: 'Shows an image to everybody, or withdraws it',
      requestParams: { path: creationId },
      requestBody: { required: false, content: { 'application/json': { schema: publishSchema } } },
      responses: {
        200: json(withCreation, 'The creation'),
        ...failures(['VALIDATION_FAILED', 'FORBIDDEN', 'NOT_FOUND', ...COMMON]),
      },
    },
  },
};
