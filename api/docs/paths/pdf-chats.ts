import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import {
  pdfChatHistorySchema,
  pdfChatMessageSchema,
  pdfChatQuerySchema,
  pdfFileQuerySchema,
} from '#libs/contract/pdf-chats.js';
import { COMMON, failures, json, success } from '../answers.js';

export const pdfChatPaths: ZodOpenApiPathsObject = {
  '/api/ai/pdf-chat-history': {
    get: {
      tags: ['PDF chats'],
      operationId: 'get-pdf-chat-history',
      summary: 'The caller’s conversations about PDF documents; with `file_name` one of them',
      requestParams: { query: pdfChatQuerySchema },
      responses: {
        200: json(
          z.union([
            success(pdfChatHistorySchema.shape),
            success({
              message: z.string(),
              chatHistory: z.array(pdfChatMessageSchema),
              fileName: z.string(),
            }),
          ]),
          'Without `file_name` the list and the latest conversation, with it that one',
        ),
        ...failures(['VALIDATION_FAILED', 'NOT_FOUND', ...COMMON]),
      },
    },
    delete: {
      tags: ['PDF chats'],
      operationId: 'clear-pdf-chat-history',
      summary: 'Clears all conversations with their documents; with `file_name` one of them',
      requestParams: { query: pdfChatQuerySchema },
      responses: {
        200: json(success({ message: z.string() }), 'Cleared'),
        ...failures(['VALIDATION_FAILED', 'NOT_FOUND', ...COMMON]),
      },
    },
  },
  '/api/ai/pdf-chat-history/file': {
    get: {
      tags: ['PDF chats'],
      operationId: 'get-pdf-chat-file',
      summary: 'The document of a conversation, for its owner; 404 where it is not kept',
      requestParams: { query: pdfFileQuerySchema },
      responses: {
        200: {
          description: 'The document',
          content: { 'application/pdf': { schema: z.string().meta({ format: 'binary' }) } },
        },
        ...failures(['VALIDATION_FAILED', 'NOT_FOUND', 'UNAVAILABLE', ...COMMON]),
      },
    },
  },
};
