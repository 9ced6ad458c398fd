import { z } from 'zod';
import { engineShape } from './engine.js';
import { AppError } from './errors.js';
import { moderationSchema } from './moderation.js';
import { cursorSchema, limitSchema } from './pagination.js';
import { isStorable } from './text.js';

/** Maximum number of user ids in the `likes` of a creation. */
export const MAX_LIKES_LISTED = 1_000;

export const creationSettingsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
export type CreationSettings = z.infer<typeof creationSettingsSchema>;

export const creationSchema = z
  .object({
    id: z.uuid(),
    prompt: z.string(),
    name: z
      .string()
      .nullable()
      .meta({ description: 'A name that its user gave it. Only this user sees it, in place of the prompt.' }),
    favourite: z.boolean(),
    tags: z.array(z.string()),
    type: z.string().meta({ description: '`image`, or the kind of text, such as `article`.' }),
    content: z.string().meta({ description: 'Markdown text, or the URL of an image.' }),
    thumbnail: z.string().nullable().meta({ description: 'The URL of a small version of an image.' }),
    ...engineShape,
    published: z.boolean(),
    page: z.string().nullable().meta({ description: 'The URL of its public page while it is published.' }),
    moderation: moderationSchema
      .nullable()
      .meta({ description: 'Why it is not public although its user wanted it to be; else null.' }),
    created_at: z.iso.datetime(),
    revision: z.number().int().meta({
      description:
        '1 for the engine’s result; grows by one with each change of its content. The ETag of its route.',
    }),
    editable: z.boolean().meta({ description: 'Whether its user may edit its text.' }),
    likes: z.array(z.string()).meta({
      description: `The ids of the first ${MAX_LIKES_LISTED} users who like it, in the order in which they did.`,
    }),
    jobId: z.uuid().nullable(),
    settings: creationSettingsSchema.nullable().meta({
      description:
        'The input of its tool besides the prompt, such as style, size or the job description, to fill in the form again. Null for tools without a form.',
    }),
    madeFrom: z.uuid().nullable().meta({
      description:
        'The creation of the same user that was its input; null without one, or after that one was deleted.',
    }),
  })
  .meta({ id: 'Creation' });
export type Creation = z.infer<typeof creationSchema>;

export const NAME_MAX = 120;
export const TAG_MAX = 40;
export const MAX_TAGS = 20;
export const MAX_TAGS_OF_USER = 200;
/** Maximum number of creations that one request may change or download. */
export const MAX_SELECTED = 500;

/** Normalises Unicode (NFC) and white space, so texts that look the same are equal. */
const normalised = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();

/** Schema of one line of text without characters that PostgreSQL cannot store. */
const storableLine = (max: number, message: string) =>
  z
    .string(message)
    .max(4 * max, message)
    .refine(isStorable, message)
    .transform(normalised)
    .pipe(z.string().min(1, message).max(max, message));

export const renameSchema = z.object({
  name: storableLine(NAME_MAX, `Write a name of up to ${NAME_MAX} characters.`)
    .nullable()
    .optional()
    .meta({ description: 'Null shows the prompt again.' }),
  favourite: z.boolean('Send true or false.').optional(),
});

const TAG = `Write a tag of up to ${TAG_MAX} characters, without commas.`;
/** Converts a tag to lower case, so "Cat" and "cat" are the same tag. */
export const tagSchema = storableLine(TAG_MAX, TAG)
  .transform((tag) => tag.toLowerCase())
  .refine((tag) => /[\p{L}\p{N}]/u.test(tag) && !tag.includes(',') && tag.length <= TAG_MAX, TAG);

const SELECTED = `Choose between 1 and ${MAX_SELECTED} creations.`;
export const selectionSchema = z.object({
  ids: z
    .array(z.uuid('Give the ids of creations.'), SELECTED)
    .min(1, SELECTED)
    .max(MAX_SELECTED, SELECTED)
    .meta({ description: 'Ids of deleted creations or of other users’ creations are ignored.' }),
});

export const ZIP_MINUTES = 60;
/** Maximum valid ZIP links per user. Creating another invalidates the oldest. */
export const MAX_ZIPS = 20;

export const tagSelectionSchema = selectionSchema.extend({
  tag: tagSchema,
  add: z.boolean('Send true to add the tag, false to remove it.').default(true),
});

export const MAX_CREATIONS_LISTED = 500;

export const creationListQuerySchema = z.object({
  cursor: cursorSchema,
  limit: limitSchema(MAX_CREATIONS_LISTED, MAX_CREATIONS_LISTED),
});
export type CreationListQuery = z.infer<typeof creationListQuerySchema>;

/** Maximum words in a search. Further words are ignored rather than rejected, so a pasted text still has results. */
export const MAX_SEARCH_WORDS = 8;

const searchText = (max: number, message: string, tooLong = message) =>
  z.string(message).refine(isStorable, message).trim().max(max, tooLong);
const searchWords = searchText(200, 'Search for text.', 'Search for at most 200 characters.');
const oneType = searchText(50, 'Give one type of creations, such as image.');
const oneTag = searchText(TAG_MAX, 'Give one tag.');

export const ownCreationsQuerySchema = creationListQuerySchema.extend({
  search: searchWords.optional().meta({
    description: `Words that must all occur in the name, the prompt or the text as it was last edited, in any order and case. The first ${MAX_SEARCH_WORDS} different ones count.`,
  }),
  type: oneType.optional().meta({ description: 'Only creations of this type.' }),
  tag: oneTag
    .transform((tag) => normalised(tag).toLowerCase())
    .optional()
    .meta({ description: 'Only creations with this tag.' }),
  favourite: z
    .stringbool({ error: 'Send true for favourites alone.' })
    .optional()
    .meta({ description: 'True for favourites alone.' }),
  sort: z
    .enum(['newest', 'oldest'], { error: 'Sort by newest or oldest.' })
    .default('newest')
    .meta({ description: 'Use the same for all pages.' }),
});
export type OwnCreationsQuery = z.infer<typeof ownCreationsQuerySchema>;

export const ownCreationsSchema = z.object({
  creations: z.array(creationSchema),
  nextCursor: z.string().nullable(),
  total: z.number().int().meta({ description: 'The number of the user’s creations.' }),
  counts: z
    .record(z.string(), z.number().int())
    .meta({ description: 'The number of results for each type, regardless of `type`.' }),
  tags: z.array(z.string()).meta({ description: 'All tags of the user’s creations, in alphabetical order.' }),
});
export type OwnCreations = z.infer<typeof ownCreationsSchema>;

export const MAX_SAVED_SEARCHES = 50;
export const SEARCH_NAME_MAX = 60;

/** The filters of a saved search. A blank field matches every creation. */
export const savedFilterSchema = z.object({
  search: searchWords.default(''),
  type: oneType.default(''),
  tag: oneTag.default(''),
  favourite: z.boolean('Send true for favourites alone.').default(false),
});
export type SavedFilter = z.infer<typeof savedFilterSchema>;

const SEARCH_NAME = `Write a name of up to ${SEARCH_NAME_MAX} characters.`;
export const newSavedSearchSchema = z.object({
  name: storableLine(SEARCH_NAME_MAX, SEARCH_NAME),
  filter: savedFilterSchema.refine(
    ({ favourite, ...words }) => favourite || Object.values(words).some((word) => word !== ''),
    'Search for something first.',
  ),
});
export const renameSavedSearchSchema = newSavedSearchSchema.pick({ name: true });

export const savedSearchSchema = z
  .object({ id: z.uuid(), name: z.string(), filter: savedFilterSchema, createdAt: z.iso.datetime() })
  .meta({ id: 'SavedSearch' });
export type SavedSearch = z.infer<typeof savedSearchSchema>;

/** Maximum number of ancestors listed for a creation. The parent is the creation that was its tool's input. */
export const MAX_SOURCES_LISTED = 20;

export const CAPTION_MAX = 300;
export const SHOWN_NAME_MAX = 60;

export const publishSchema = z.object({
  publish: z
    .boolean({ error: 'Send true to publish, false to unpublish.' })
    .default(true)
    .meta({ description: 'False unpublishes it.' }),
  caption: storableLine(CAPTION_MAX, `Write a caption of up to ${CAPTION_MAX} characters.`)
    .optional()
    .meta({ description: 'The text that everyone sees. Default: the prompt.' }),
  author: storableLine(SHOWN_NAME_MAX, `Write a name of up to ${SHOWN_NAME_MAX} characters.`)
    .optional()
    .meta({
      description:
        'The name that everyone sees, then without the profile picture. Default: the user’s name at this time, with the picture.',
    }),
});
export type Publication = z.infer<typeof publishSchema>;

/** Hours after its deletion during which a creation can be restored. */
export const RESTORABLE_HOURS = 24;

export const creationNotFound = () => new AppError('NOT_FOUND', 'There is no such creation.');
