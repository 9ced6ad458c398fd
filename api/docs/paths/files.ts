import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { failures } from '../answers.js';
import { creationId } from './creations.js';

const bytesOf = (...types: string[]) => ({
  description: 'The bytes; also by `HEAD` and `Range`',
  content: Object.fromEntries(types.map((type) => [type, { schema: z.file() }])),
});
const IMAGE = bytesOf('image/png', 'image/jpeg', 'image/webp');

export const filePaths: ZodOpenApiPathsObject = {
  '/files/{key}': {
    get: {
      tags: ['Files'],
      operationId: 'get-file',
      summary: 'A result’s file, for whoever knows its address',
      security: [],
      requestParams: { path: z.object({ key: z.string() }) },
      responses: { 200: IMAGE, ...failures(['NOT_FOUND', 'UNAVAILABLE']) },
    },
  },
  '/c/{id}': {
    get: {
      tags: ['Files'],
      operationId: 'get-public-page',
      summary: 'The public page of a published image',
      security: [],
      requestParams: { path: creationId },
      responses: {
        200: { description: 'The page', content: { 'text/html': { schema: z.string() } } },
        404: { description: 'Nothing is on show here', content: { 'text/html': { schema: z.string() } } },
      },
    },
  },
  '/c/{id}/image': {
    get: {
      tags: ['Files'],
      operationId: 'get-published-image',
      summary: 'A published image, or beside it its `thumbnail`',
      security: [],
      requestParams: { path: creationId },
      responses: { 200: IMAGE, ...failures(['NOT_FOUND', 'UNAVAILABLE']) },
    },
  },
};
