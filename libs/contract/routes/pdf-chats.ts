import { z } from 'zod';
import { fileKinds } from '../limits.js';
import {
  earlierCursorSchema,
  pdfAttachmentQuerySchema,
  pdfChatHistorySchema,
  pdfChatMessageSchema,
  pdfChatPageQuerySchema,
  pdfChatQuerySchema,
  pdfFileQuerySchema,
  pdfPageQuerySchema,
  pdfWordSchema,
  samePdfConversationSchema,
  samePdfQuerySchema,
} from '../pdf-chats.js';
import { defineRoute, fileAnswers, json, ok, success } from './define-route.js';

const tag = 'PDF chats';

const allChats = success(pdfChatHistorySchema.shape);
const oneChat = success({
  message: z.string(),
  chatHistory: z.array(pdfChatMessageSchema),
  earlierCursor: earlierCursorSchema,
  fileName: z.string(),
});

export const pdfChatRoutes = {
  getPdfChatHistory: defineRoute('GET', '/api/ai/pdf-chat-history', {
    tag,
    summary: 'The caller’s conversations about PDF documents; with `file_name` one of them',
    query: pdfChatPageQuerySchema,
    answers: {
      200: json(
        z.union([allChats, oneChat]),
        'Without `file_name` the list and the latest conversation, otherwise that conversation; about the latest 256 kB of messages',
      ),
    },
    errors: ['NOT_FOUND'],
  }),
  clearPdfChatHistory: defineRoute('DELETE', '/api/ai/pdf-chat-history', {
    tag,
    summary: 'Clears all conversations with their documents; with `file_name` one of them',
    query: pdfChatQuerySchema,
    answers: ok({ message: z.string() }, 'Cleared'),
    errors: ['NOT_FOUND'],
  }),
  findSamePdf: defineRoute('GET', '/api/ai/pdf-chat-history/same', {
    tag,
    summary: 'The caller’s conversations about a file with this content, the latest first',
    description: 'A question with this file continues the first one, unless it has `conversation: new`.',
    query: samePdfQuerySchema,
    answers: ok(
      { conversations: z.array(samePdfConversationSchema) },
      'The conversations; none for a new file',
    ),
  }),
  getPdfChatFile: defineRoute('GET', '/api/ai/pdf-chat-history/file', {
    tag,
    summary: 'The document of a conversation, for its owner; 404 if it is not stored',
    query: pdfFileQuerySchema,
    answers: fileAnswers({
      description: 'The document',
      content: { 'application/pdf': z.string().meta({ format: 'binary' }) },
    }),
    errors: ['NOT_FOUND'],
  }),
  getPdfChatAttachment: defineRoute('GET', '/api/ai/pdf-chat-history/attachment', {
    tag,
    summary: 'A PDF that is attached to the document of a conversation, for its owner',
    description: `Attachments are listed in \`documents\`. Those that are no PDF, or have more than ${fileKinds.pdf.maxSize}, are not sent. To ask about an attachment, upload it.`,
    query: pdfAttachmentQuerySchema,
    answers: {
      200: {
        description: 'The attachment',
        content: { 'application/pdf': z.string().meta({ format: 'binary' }) },
      },
    },
    errors: ['NOT_FOUND', 'UNREADABLE_PDF'],
  }),
  getPdfChatWords: defineRoute('GET', '/api/ai/pdf-chat-history/words', {
    tag,
    summary:
      'The words of a scanned page with their positions, for the document’s owner; none for a page with text',
    query: pdfPageQuerySchema,
    answers: ok({ words: z.array(pdfWordSchema) }, 'The words in reading order'),
    errors: ['NOT_FOUND'],
  }),
};
