import { z } from 'zod';
import { VERSION_MAX_MEGAPIXELS, describeFile } from '../limits.js';
import {
  creationVersionSchema,
  MAX_EDITED_VERSIONS,
  nameVersionSchema,
  newVersionSchema,
  editSchema,
} from '../creation-versions.js';
import { setShareSchema, sharedTextSchema, shareSchema } from '../sharing.js';
import {
  creationSchema,
  MAX_SOURCES_LISTED,
  MAX_TAGS,
  MAX_TAGS_OF_USER,
  MAX_ZIPS,
  ownCreationsQuerySchema,
  ownCreationsSchema,
  publishSchema,
  renameSchema,
  selectionSchema,
  tagSelectionSchema,
  ZIP_MINUTES,
} from '../creations.js';
import { ZIP_LIMIT } from './batches.js';
import { defineRoute, idempotencyKeyHeader, json, ok, success } from './define-route.js';

const tag = 'Creations';
export const creationId = z.object({ id: z.uuid().meta({ description: 'The creation’s id.' }) });
const changedCreation = json(success({ message: z.string(), creation: creationSchema }), 'The creation');

const withRevision = <S extends z.ZodType>(schema: S, description: string) => ({
  ...json(schema, description),
  headers: z.object({ ETag: z.string().meta({ description: 'The creation’s revision, in quotes.' }) }),
});

const versionId = creationId.extend({ version: z.uuid().meta({ description: 'The version’s id.' }) });
const changedVersion = json(
  success({ version: creationVersionSchema, creation: creationSchema }),
  'The version, and the creation that shows it',
);

export const creationRoutes = {
  listCreations: defineRoute('GET', '/api/user/get-user-creations', {
    tag,
    summary: 'The caller’s creations, newest first, optionally searched, filtered and in pages',
    atWork: 'searches',
    query: ownCreationsQuerySchema,
    answers: ok(ownCreationsSchema.shape, 'The creations'),
  }),
  getCreation: defineRoute('GET', '/api/user/creations/:id', {
    tag,
    summary: 'One creation of the caller',
    description:
      'Event: `creation` with its `id`, each time it is deleted, restored, published, unpublished, edited, renamed or tagged, or its versions change.',
    params: creationId,
    answers: {
      200: withRevision(
        success({
          creation: creationSchema,
          sources: z.array(creationSchema).meta({
            description: `The creation that was its input, the input of that one, and so on; at most ${MAX_SOURCES_LISTED}.`,
          }),
          batch: z
            .object({
              id: z.uuid(),
              original: z.string().nullable().meta({
                description: 'The URL of the picture as it was sent; null after it was deleted.',
              }),
            })
            .nullable()
            .meta({
              description: 'The batch that made it; null without one, or after that one was deleted.',
            }),
        }),
        'The creation',
      ),
    },
    errors: ['NOT_FOUND'],
  }),
  renameCreation: defineRoute('PATCH', '/api/user/creations/:id', {
    tag,
    summary: 'Names a creation, or marks it as a favourite',
    description: 'Only its user sees the name.',
    params: creationId,
    body: renameSchema,
    answers: ok({ creation: creationSchema }, 'The creation'),
    errors: ['NOT_FOUND'],
  }),
  tagCreations: defineRoute('POST', '/api/user/creations/tags', {
    tag,
    summary: 'Adds a tag to creations, or removes it',
    description: `At most ${MAX_TAGS} tags per creation and ${MAX_TAGS_OF_USER} different tags per user. If any limit is exceeded, nothing changes.`,
    body: tagSelectionSchema,
    answers: ok(
      {
        tag: z.string().meta({ description: 'The stored tag, in lower case.' }),
        changed: z.array(z.uuid()).meta({ description: 'Creations that got or lost the tag.' }),
      },
      'The changed creations',
    ),
  }),
  deleteCreations: defineRoute('POST', '/api/user/creations/delete', {
    tag,
    summary: 'Deletes several creations; for a day they can be restored',
    body: selectionSchema,
    answers: ok({ deleted: z.array(z.uuid()) }, 'The deleted creations'),
  }),
  restoreCreations: defineRoute('POST', '/api/user/creations/restore', {
    tag,
    summary: 'Restores several deleted creations',
    body: selectionSchema,
    answers: ok({ restored: z.array(z.uuid()) }, 'The restored creations'),
  }),
  zipCreations: defineRoute('POST', '/api/user/creations/zip', {
    tag,
    summary: 'Creates the URL of a ZIP with several creations',
    description: `The URL cannot be guessed and is valid for ${ZIP_MINUTES} minutes. More than ${MAX_ZIPS} invalidate the oldest. ${ZIP_LIMIT}`,
    body: selectionSchema,
    answers: ok({ url: z.string(), count: z.number().int() }, 'The URL, and the number of creations'),
    errors: ['NOT_FOUND'],
  }),
  deleteCreation: defineRoute('DELETE', '/api/user/creations/:id', {
    tag,
    summary: 'Deletes a creation; for a day it can be restored',
    params: creationId,
    answers: ok({ message: z.string(), restorableUntil: z.iso.datetime() }, 'Deleted'),
    errors: ['NOT_FOUND'],
  }),
  restoreCreation: defineRoute('POST', '/api/user/creations/:id/restore', {
    tag,
    summary: 'Restores a deleted creation',
    params: creationId,
    answers: { 200: changedCreation },
    errors: ['NOT_FOUND'],
  }),
  publishCreation: defineRoute('POST', '/api/user/creations/:id/publish', {
    tag,
    summary: 'Publishes or unpublishes an image',
    description:
      'If the server checks images first, `creation.moderation` says that it waits; 403 if the check refuses it, or publishing is switched off.',
    params: creationId,
    body: publishSchema,
    bodyRequired: false,
    answers: { 200: changedCreation },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'VERSION_CONFLICT'],
  }),
  editCreation: defineRoute('PUT', '/api/user/creations/:id/content', {
    tag,
    summary: 'Saves an edited text',
    description:
      'Free. 412 if the creation has another revision, unless it already has this text. The first save of a session makes a ' +
      `version. Beyond ${MAX_EDITED_VERSIONS} edited versions, the oldest without a name are deleted.`,
    params: creationId,
    headers: z.object({
      'If-Match': z
        .string()
        .meta({ description: 'The creation’s revision, in quotes: `"3"`. 428 without it.' }),
    }),
    body: editSchema,
    // Enough for the longest text with each character escaped.
    bodyMaxBytes: 2 * 2 ** 20,
    answers: { 200: withRevision(success({ creation: creationSchema }), 'The creation') },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'VERSION_CONFLICT', 'PRECONDITION_REQUIRED', 'STORAGE_FULL'],
  }),
  getShare: defineRoute('GET', '/api/user/creations/:id/share', {
    tag,
    summary: 'The link by which a text is shared, or null',
    params: creationId,
    answers: ok({ share: shareSchema.nullable() }, 'The link'),
    errors: ['NOT_FOUND'],
  }),
  setShare: defineRoute('PUT', '/api/user/creations/:id/share', {
    tag,
    summary: 'Shares a text by a link, or changes the link’s setting; its URL stays the same',
    params: creationId,
    body: setShareSchema,
    bodyRequired: false,
    answers: ok({ share: shareSchema }, 'The link'),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  withdrawShare: defineRoute('DELETE', '/api/user/creations/:id/share', {
    tag,
    summary: 'Removes the link at once; sharing again creates another URL',
    params: creationId,
    answers: ok({ message: z.string() }, 'The link is removed'),
    errors: ['NOT_FOUND'],
  }),
  getSharedText: defineRoute('GET', '/api/shared/:token', {
    tag,
    summary: 'A shared text, for everyone who has the link',
    public: true,
    params: z.object({ token: z.string().meta({ description: 'The last part of the link.' }) }),
    answers: ok({ text: sharedTextSchema }, 'The text'),
    errors: ['NOT_FOUND', 'RATE_LIMITED', 'UNAVAILABLE'],
  }),
  listCreationVersions: defineRoute('GET', '/api/user/creations/:id/versions', {
    tag,
    summary: 'The versions of a creation, newest first',
    description:
      'The last one is the original. A creation that was never edited has only this one. Texts are without their content.',
    params: creationId,
    answers: ok({ versions: z.array(creationVersionSchema) }, 'The versions'),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  getCreationVersion: defineRoute('GET', '/api/user/creations/:id/versions/:version', {
    tag,
    summary: 'A version of a creation with its content',
    params: versionId,
    answers: ok({ version: creationVersionSchema }, 'The version'),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  addCreationVersion: defineRoute('POST', '/api/user/creations/:id/versions', {
    tag,
    summary: 'Saves an edited image as the creation’s current version',
    description:
      `Free. It counts as storage, and \`RATE_LIMIT_VERSIONS\` limits it. Beyond ${MAX_EDITED_VERSIONS} edited versions, the oldest ` +
      'are deleted. The image is encoded again, without metadata; a PNG keeps its exact pixels. ' +
      '412 if `base` is no longer the current version.',
    params: creationId,
    headers: idempotencyKeyHeader(
      'The same key identifies the same version of this creation. 422 with another request.',
    ),
    form: newVersionSchema.extend({
      image: z.file().meta({
        description: `${describeFile('image')} At most ${VERSION_MAX_MEGAPIXELS} megapixels.`,
      }),
    }),
    answers: { 200: changedVersion },
    errors: [
      'FORBIDDEN',
      'NOT_FOUND',
      'VERSION_CONFLICT',
      'IDEMPOTENCY_MISMATCH',
      'STORAGE_FULL',
      'UNSUPPORTED_FILE',
      'UNREADABLE_IMAGE',
      'DISK_FULL',
    ],
  }),
  restoreCreationVersion: defineRoute('POST', '/api/user/creations/:id/versions/:version/restore', {
    tag,
    summary: 'Makes a version the current one; no version is lost',
    params: versionId,
    answers: { 200: changedVersion },
    errors: ['NOT_FOUND'],
  }),
  nameCreationVersion: defineRoute('PATCH', '/api/user/creations/:id/versions/:version', {
    tag,
    summary: 'Names a version',
    description: 'Later saves do not change a named version. The original cannot be renamed (403).',
    params: versionId,
    body: nameVersionSchema,
    answers: ok({ version: creationVersionSchema }, 'The version'),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  deleteCreationVersion: defineRoute('DELETE', '/api/user/creations/:id/versions/:version', {
    tag,
    summary: 'Deletes a version for good',
    description: 'Not the current version, nor the original (403).',
    params: versionId,
    answers: ok({ message: z.string() }, 'Deleted'),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
};
