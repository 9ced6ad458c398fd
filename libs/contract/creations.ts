import { z } from 'zod';
import { madeByShape } from './engine-name.js';
import { AppError } from './errors.js';
import { cursorSchema, limitSchema } from './pages.js';
import { isStorable } from './validation.js';

/** The most likes of a creation that are listed by their users. */
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
      .meta({ description: 'What its user named it; shown in place of the prompt to the user alone.' }),
    favourite: z.boolean(),
    tags: z.array(z.string()),
    type: z.string().meta({ description: '`image`, or the kind of text, such as `article`.' }),
    content: z.string().meta({ description: 'Markdown text, or the URL of an image.' }),
    thumbnail: z.string().nullable().meta({ description: 'The URL of a small version of an image.' }),
    ...madeByShape,
    published: z.boolean(),
    page: z.string().nullable().meta({ description: 'The URL of its public page, while it is published.' }),
    created_at: z.iso.datetime(),
    revision: z.number().int().meta({
      description:
        '1 as the engine gave it, and one more with each change of its content; the ETag of its route.',
    }),
    editable: z.boolean().meta({ description: 'Whether its user may edit its text.' }),
    likes: z.array(z.string()).meta({
      description: `The ids of the first ${MAX_LIKES_LISTED} users who like it, in the order in which they did.`,
    }),
    jobId: z.uuid().nullable(),
    settings: creationSettingsSchema.nullable().meta({
      description:
        'What its tool was given besides the prompt, such as style, size or the job description, to fill in its form again. Null for what has no such form.',
    }),
    madeFrom: z.uuid().nullable().meta({
      description:
        'The creation of the same user that it was made from; null without one, or once that is deleted.',
    }),
  })
  .meta({ id: 'Creation' });
export type Creation = z.infer<typeof creationSchema>;

export const NAME_MAX = 120;
export const TAG_MAX = 40;
/** Tags of one creation. */
export const MAX_TAGS = 20;
/** Different tags of one user. */
export const MAX_TAGS_OF_USER = 200;
/** Creations that one request changes or downloads. */
export const MAX_SELECTED = 500;

/** One form of a text that looks the same: without blanks at its ends, and with one between words. */
const normalised = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();

/** One line of text that PostgreSQL can store. */
const oneLine = (max: number, message: string) =>
  z
    .string(message)
    .max(4 * max, message)
    .refine(isStorable, message)
    .transform(normalised)
    .pipe(z.string().min(1, message).max(max, message));

export const renameSchema = z.object({
  name: oneLine(NAME_MAX, `Write a name of up to ${NAME_MAX} characters.`)
    .nullable()
    .optional()
    .meta({ description: 'Null shows the prompt again.' }),
  favourite: z.boolean('Send true or false.').optional(),
});

const TAG = `Write a tag of up to ${TAG_MAX} characters, without commas.`;
/** In lower case, so that one word is one tag. */
export const tagSchema = oneLine(TAG_MAX, TAG)
  .transform((tag) => tag.toLowerCase())
  .refine((tag) => /[\p{L}\p{N}]/u.test(tag) && !tag.includes(',') && tag.length <= TAG_MAX, TAG);

const SELECTED = `Choose between 1 and ${MAX_SELECTED} creations.`;
export const selectionSchema = z.object({
  ids: z
    .array(z.uuid('Give the ids of creations.'), SELECTED)
    .min(1, SELECTED)
    .max(MAX_SELECTED, SELECTED)
    .meta({ description: 'Those that are not there any more, or another’s, are left out.' }),
});

/** Minutes for which a ZIP of creations can be downloaded. */
export const ZIP_MINUTES = 60;
/** ZIPs of creations that a user can download at once; of more, the oldest cannot. */
export const MAX_ZIPS = 20;

export const tagSelectionSchema = selectionSchema.extend({
  tag: tagSchema,
  add: z.boolean('Send true to add the tag, false to remove it.').default(true),
});

/** The largest page of creations. */
export const MAX_CREATIONS_LISTED = 500;

export const creationListQuerySchema = z.object({
  cursor: cursorSchema,
  limit: limitSchema(MAX_CREATIONS_LISTED, MAX_CREATIONS_LISTED),
});
export type CreationListQuery = z.infer<typeof creationListQuerySchema>;

/** A search uses as many different words; more are ignored, so that pasted text still finds something. */
export const MAX_SEARCH_WORDS = 8;

const searchText = (message: string) => z.string(message).refine(isStorable, message);
const ONE_TAG = 'Give one tag.';
const ONE_TYPE = 'Give one type of creations, such as image.';

export const ownCreationsQuerySchema = creationListQuerySchema.extend({
  search: searchText('Search for text.')
    .trim()
    .max(200, 'Search for at most 200 characters.')
    .optional()
    .meta({
      description: `Words that must all occur in the name, the prompt or the text as it was last edited, in any order and case. The first ${MAX_SEARCH_WORDS} different ones count.`,
    }),
  type: searchText(ONE_TYPE)
    .trim()
    .max(50, ONE_TYPE)
    .optional()
    .meta({ description: 'Only creations of this type.' }),
  tag: searchText(ONE_TAG)
    .trim()
    .max(TAG_MAX, ONE_TAG)
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
    .meta({ description: 'Keep it for all pages.' }),
});
export type OwnCreationsQuery = z.infer<typeof ownCreationsQuerySchema>;

export const ownCreationsSchema = z.object({
  creations: z.array(creationSchema),
  nextCursor: z.string().nullable(),
  total: z.number().int().meta({ description: 'How many creations the user has.' }),
  counts: z
    .record(z.string(), z.number().int())
    .meta({ description: 'How many of each type the search finds, whichever type is asked for.' }),
  tags: z.array(z.string()).meta({ description: 'All tags of the user’s creations, in alphabetical order.' }),
});
export type OwnCreations = z.infer<typeof ownCreationsSchema>;

/** Searches that a user saves. */
export const MAX_SAVED_SEARCHES = 50;
export const SEARCH_NAME_MAX = 60;

/** What a saved search asks for; blank fields ask for nothing. */
export const savedFilterSchema = z.object({
  search: searchText('Search for text.').trim().max(200, 'Search for at most 200 characters.').default(''),
  type: searchText(ONE_TYPE).trim().max(50, ONE_TYPE).default(''),
  tag: searchText(ONE_TAG).trim().max(TAG_MAX, ONE_TAG).default(''),
  favourite: z.boolean('Send true for favourites alone.').default(false),
});
export type SavedFilter = z.infer<typeof savedFilterSchema>;

const SEARCH_NAME = `Write a name of up to ${SEARCH_NAME_MAX} characters.`;
export const newSavedSearchSchema = z.object({
  name: oneLine(SEARCH_NAME_MAX, SEARCH_NAME),
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

/** The most creations that are listed as those which one was made from. */
export const MAX_SOURCES_LISTED = 20;

export const publishSchema = z.object({
  publish: z
    .boolean({ error: 'Send true to publish, false to withdraw.' })
    .default(true)
    .meta({ description: 'False withdraws it.' }),
});

/** Hours for which a deleted creation can be restored. */
export const RESTORABLE_HOURS = 24;

export const creationNotFound = () => new AppError('NOT_FOUND', 'There is no such creation.');
