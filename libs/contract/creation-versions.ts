import { z } from 'zod';
import { VERSION_MAX_MEGAPIXELS } from './limits.js';
import { markdownExcess, MARKDOWN_MAX_CHARACTERS, plainLine } from './markdown.js';
import { BROKEN_CHARACTERS, oneLine } from './text.js';

/**
 * Maximum edited versions of a creation, not counting the original. Adding more deletes the oldest unnamed version, or
 * the oldest named one if there is no unnamed version; never the current version.
 */
export const MAX_EDITED_VERSIONS = 20;
export const VERSION_LABEL_MAX = 80;
const LABEL = `Name the version in up to ${VERSION_LABEL_MAX} characters.`;

const pixels = z
  .number()
  .int()
  .nullable()
  .meta({ description: 'In pixels; null for a text, and when the file was deleted.' });

export const creationVersionSchema = z
  .object({
    id: z.uuid(),
    number: z
      .number()
      .int()
      .meta({ description: '1 is the original; a new version has the highest number.' }),
    label: z.string(),
    createdAt: z.iso.datetime(),
    named: z
      .boolean()
      .meta({ description: 'Whether its user named it. Later saves do not change a named version.' }),
    content: z.string().nullable().meta({
      description:
        'The URL of the image, or Markdown text. Null for a text, except in `GET …/versions/{version}`.',
    }),
    thumbnail: z.string().nullable().meta({ description: 'The URL of a small version of the image.' }),
    type: z
      .string()
      .nullable()
      .meta({ description: 'The media type, such as `image/png`; null for a text.' }),
    width: pixels,
    height: pixels,
    original: z.boolean().meta({ description: 'Whether the engine made it. It cannot be deleted.' }),
    cutOut: z.boolean().meta({
      description: 'Whether it is a subject without its background. Background edits start from it.',
    }),
    current: z.boolean().meta({ description: 'Whether the creation and its public page show it.' }),
  })
  .meta({ id: 'CreationVersion' });
export type CreationVersion = z.infer<typeof creationVersionSchema>;

export const versionLabel = z.string(LABEL).trim().min(1, LABEL).max(VERSION_LABEL_MAX, LABEL);

export const nameVersionSchema = z.object({ label: versionLabel });

export const newVersionSchema = z.object({
  label: versionLabel,
  base: z
    .uuid('Name the version that this one was made from.')
    .meta({ description: 'The id of the version that this one was made from.' }),
  cutOut: z
    .union([z.boolean(), z.stringbool()], { error: 'Send true for a subject without its background.' })
    .default(false)
    .meta({ description: 'True for a subject without its background.' }),
});
export type NewVersion = z.infer<typeof newVersionSchema>;

export const newVersionRequest = {
  input: newVersionSchema,
  files: {
    image: {
      kind: 'picture',
      required: true,
      missing: 'Choose an image.',
      maxMegapixels: VERSION_MAX_MEGAPIXELS,
    },
  },
} as const;

/** Maximum characters of an edited text, about 50,000 words. */
export const CONTENT_MAX = MARKDOWN_MAX_CHARACTERS;
const CONTENT = `Write between 1 and ${CONTENT_MAX.toLocaleString('en')} characters.`;

/** Why a text cannot be saved, and at which words; null if it can. */
export function contentRefusal(text: string): string | null {
  if (text.trim() === '') return CONTENT;
  if (text.length > CONTENT_MAX)
    return `The text has ${text.length.toLocaleString('en')} of ${CONTENT_MAX.toLocaleString('en')} characters: the limit is at ${wordsAt(text, CONTENT_MAX)}.`;
  const broken = text.search(BROKEN_CHARACTERS);
  if (broken >= 0)
    return `The text has a broken character at ${wordsAt(text, broken)}. Delete the character and type it again.`;
  const excess = markdownExcess(text);
  return excess && `The text has too many ${excess.of}, from ${wordsAt(text, excess.at)} on. Split the text.`;
}

const WORDS_AROUND = 30;

/** Quotes the text around an offset, so that its user finds the place. */
function wordsAt(text: string, offset: number): string {
  const from = Math.max(text.lastIndexOf('\n', offset - 1) + 1, offset - WORDS_AROUND);
  const around = text
    .slice(from, offset + WORDS_AROUND)
    .toWellFormed()
    .replaceAll(new RegExp(BROKEN_CHARACTERS, 'gv'), '\ufffd');
  return `“${plainLine(oneLine(around))}”`;
}

export const editSchema = z.object({
  content: z
    .string(CONTENT)
    .min(1, { abort: true, error: CONTENT })
    .max(CONTENT_MAX, { abort: true, error: ({ input }) => contentRefusal(input as string) ?? CONTENT })
    .superRefine((text, context) => {
      const message = contentRefusal(text);
      if (message !== null) context.addIssue({ code: 'custom', message });
    })
    .meta({ description: 'The whole text in Markdown.' }),
  session: z.uuid('Name the session of editing.').meta({
    description:
      'An id for each opened editor. Its first save makes a version, and its later ones change that version.',
  }),
  label: versionLabel.optional().meta({
    description:
      'The label of the new version; “Edited” without it. The label alone does not protect the version from deletion.',
  }),
});
export type Edit = z.infer<typeof editSchema>;
