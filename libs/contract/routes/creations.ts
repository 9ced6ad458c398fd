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
import { defineRoute, json, success } from './define-route.js';

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
    summary: 'The caller’s creations, newest first; searched, filtered and in pages where that is asked for',
    query: ownCreationsQuerySchema,
    answers: { 200: json(success(ownCreationsSchema.shape), 'The creations') },
    errors: ['VALIDATION_FAILED'],
  }),
  getCreation: defineRoute('GET', '/api/user/creations/:id', {
    tag,
    summary: 'One creation of the caller',
    description:
      'Event: `creation` with its `id`, each time it is deleted, restored, published, withdrawn, edited, renamed or tagged, or its versions change.',
    params: creationId,
    answers: {
      200: withRevision(
        success({
          creation: creationSchema,
          sources: z.array(creationSchema).meta({
            description: `What it was made from, and what that was made from, the nearest first; at most ${MAX_SOURCES_LISTED}.`,
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
    answers: { 200: json(success({ creation: creationSchema }), 'The creation') },
    errors: ['VALIDATION_FAILED', 'NOT_FOUND'],
  }),
  tagCreations: defineRoute('POST', '/api/user/creations/tags', {
    tag,
    summary: 'Adds a tag to creations, or removes it',
    description: `At most ${MAX_TAGS} tags of a creation and ${MAX_TAGS_OF_USER} different ones of a user; nothing is changed where one would have more.`,
    body: tagSelectionSchema,
    answers: {
      200: json(
        success({
          tag: z.string().meta({ description: 'As it is stored, in lower case.' }),
          changed: z.array(z.uuid()).meta({ description: 'Those that did not have it, or had it, before.' }),
        }),
        'The changed creations',
      ),
    },
    errors: ['VALIDATION_FAILED'],
  }),
  deleteCreations: defineRoute('POST', '/api/user/creations/delete', {
    tag,
    summary: 'Deletes several creations; for a day they can be restored',
    body: selectionSchema,
    answers: { 200: json(success({ deleted: z.array(z.uuid()) }), 'Those that were there are deleted') },
    errors: ['VALIDATION_FAILED'],
  }),
  restoreCreations: defineRoute('POST', '/api/user/creations/restore', {
    tag,
    summary: 'Brings several deleted creations back as they were',
    body: selectionSchema,
    answers: { 200: json(success({ restored: z.array(z.uuid()) }), 'Those that were deleted are back') },
    errors: ['VALIDATION_FAILED'],
  }),
  zipCreations: defineRoute('POST', '/api/user/creations/zip', {
    tag,
    summary: 'The address of a ZIP with several creations',
    description: `It cannot be guessed and lasts ${ZIP_MINUTES} minutes; of more than ${MAX_ZIPS} the oldest ends. ${ZIP_LIMIT}`,
    body: selectionSchema,
    answers: {
      200: json(
        success({ url: z.string(), count: z.number().int() }),
        'Where to download it, and how many it has',
      ),
    },
    errors: ['VALIDATION_FAILED', 'NOT_FOUND'],
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
  editCreation: defineRoute('PUT', '/api/user/creations/:id/content', {
    tag,
    summary: 'Saves an edited text',
    description:
      'Free. 412 where the creation has another revision by now, unless it has this very text. The first save of a ' +
      `session makes a version; of more than ${MAX_EDITED_VERSIONS} edited versions the oldest without a name are deleted.`,
    params: creationId,
    headers: z.object({
      'If-Match': z
        .string()
        .meta({ description: 'The creation’s revision, in quotes: `"3"`. 428 without it.' }),
    }),
    body: editSchema,
    answers: { 200: withRevision(success({ creation: creationSchema }), 'The creation') },
    errors: [
      'VALIDATION_FAILED',
      'FORBIDDEN',
      'NOT_FOUND',
      'VERSION_CONFLICT',
      'PRECONDITION_REQUIRED',
      'STORAGE_FULL',
      'FILE_TOO_LARGE',
    ],
  }),
  getShare: defineRoute('GET', '/api/user/creations/:id/share', {
    tag,
    summary: 'The link by which a text is shared, or null',
    params: creationId,
    answers: { 200: json(success({ share: shareSchema.nullable() }), 'The link') },
    errors: ['NOT_FOUND'],
  }),
  setShare: defineRoute('PUT', '/api/user/creations/:id/share', {
    tag,
    summary: 'Shares a text by a link, or changes what the link shows; its address stays the same',
    params: creationId,
    body: setShareSchema,
    bodyRequired: false,
    answers: { 200: json(success({ share: shareSchema }), 'The link') },
    errors: ['VALIDATION_FAILED', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  withdrawShare: defineRoute('DELETE', '/api/user/creations/:id/share', {
    tag,
    summary: 'Withdraws the link at once; sharing again makes another address',
    params: creationId,
    answers: { 200: json(success({ message: z.string() }), 'It is withdrawn') },
    errors: ['NOT_FOUND'],
  }),
  getSharedText: defineRoute('GET', '/api/shared/:token', {
    tag,
    summary: 'A shared text, for whoever has its link',
    public: true,
    params: z.object({ token: z.string().meta({ description: 'The last part of the link.' }) }),
    answers: { 200: json(success({ text: sharedTextSchema }), 'The text') },
    errors: ['NOT_FOUND', 'RATE_LIMITED', 'UNAVAILABLE'],
  }),
  listCreationVersions: defineRoute('GET', '/api/user/creations/:id/versions', {
    tag,
    summary: 'The versions of a creation, newest first',
    description: 'The last one is what the engine gave. What was never edited has that one alone.',
    params: creationId,
    answers: { 200: json(success({ versions: z.array(creationVersionSchema) }), 'The versions') },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  addCreationVersion: defineRoute('POST', '/api/user/creations/:id/versions', {
    tag,
    summary: 'Saves an edited image as a version, which the creation then shows',
    description:
      `Free. It counts as storage, and \`RATE_LIMIT_VERSIONS\` limits it. Of more than ${MAX_EDITED_VERSIONS} edited versions the oldest ` +
      'are deleted. The image is encoded anew, without its metadata; a PNG keeps its pixels as they are. ' +
      '412 where the creation shows another version than `base` by now.',
    params: creationId,
    headers: z.object({
      'Idempotency-Key': z.string().max(255).optional().meta({
        description: 'The same key names the same version of this creation. 422 with another request.',
      }),
    }),
    form: newVersionSchema.extend({
      image: z.file().meta({
        description: `${describeFile('image')} At most ${VERSION_MAX_MEGAPIXELS} megapixels.`,
      }),
    }),
    answers: { 200: changedVersion },
    errors: [
      'VALIDATION_FAILED',
      'FORBIDDEN',
      'NOT_FOUND',
      'VERSION_CONFLICT',
      'IDEMPOTENCY_MISMATCH',
      'STORAGE_FULL',
      'REQUEST_TOO_SLOW',
      'FILE_TOO_LARGE',
      'UNSUPPORTED_FILE',
      'UNREADABLE_IMAGE',
      'DISK_FULL',
    ],
  }),
  restoreCreationVersion: defineRoute('POST', '/api/user/creations/:id/versions/:version/restore', {
    tag,
    summary: 'Makes a version the one that the creation shows; no version is lost',
    params: versionId,
    answers: { 200: changedVersion },
    errors: ['NOT_FOUND'],
  }),
  nameCreationVersion: defineRoute('PATCH', '/api/user/creations/:id/versions/:version', {
    tag,
    summary: 'Names a version',
    description:
      'Later saves leave a version with a name as it is. What the engine gave keeps its own (403).',
    params: versionId,
    body: nameVersionSchema,
    answers: { 200: json(success({ version: creationVersionSchema }), 'The version') },
    errors: ['VALIDATION_FAILED', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  deleteCreationVersion: defineRoute('DELETE', '/api/user/creations/:id/versions/:version', {
    tag,
    summary: 'Deletes a version for good',
    description: 'Not the one that is shown, nor what the engine gave (403).',
    params: versionId,
    answers: { 200: json(success({ message: z.string() }), 'It is deleted') },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
};
