import { z } from 'zod';
import { ZIP_LIMIT, zipAnswer } from './batches.js';
import { creationId } from './creations.js';
import { defineRoute, fileAnswers } from './define-route.js';

const tag = 'Files';
const errors = ['RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL'] as const;
const image = {
  description: 'The bytes; supports `HEAD` and `Range`',
  content: { 'image/png': z.file(), 'image/jpeg': z.file(), 'image/webp': z.file() },
};
const html = (description: string) => ({ description, content: { 'text/html': z.string() } });

export const fileRoutes = {
  getFile: defineRoute('GET', '/files/:key', {
    tag,
    summary: 'A result’s file, for everyone who knows the URL',
    public: true,
    params: z.object({ key: z.string() }),
    answers: fileAnswers(image),
    errors: ['NOT_FOUND', ...errors],
  }),
  getCreationsZipFile: defineRoute('GET', '/files/creations/:key', {
    tag,
    summary: 'A ZIP of creations, for everyone who knows the URL',
    description: ZIP_LIMIT,
    public: true,
    params: z.object({ key: z.string() }),
    answers: zipAnswer('Images, and texts as Markdown with their latest edits'),
    errors: ['NOT_FOUND', ...errors],
  }),
  getPublicPage: defineRoute('GET', '/c/:id', {
    tag,
    summary: 'The public page of a published image',
    public: true,
    params: creationId,
    answers: { 200: html('The page'), 404: html('Nothing is published here') },
    errors: [...errors],
  }),
  getPublishedImage: defineRoute('GET', '/c/:id/image', {
    tag,
    summary: 'A published image',
    public: true,
    params: creationId,
    answers: fileAnswers(image),
    errors: ['NOT_FOUND', ...errors],
  }),
  getPublishedThumbnail: defineRoute('GET', '/c/:id/thumbnail', {
    tag,
    summary: 'The thumbnail of a published image',
    public: true,
    params: creationId,
    answers: fileAnswers(image),
    errors: ['NOT_FOUND', ...errors],
  }),
};
