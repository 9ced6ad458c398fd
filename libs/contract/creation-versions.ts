import { z } from 'zod';
import { VERSION_MAX_MEGAPIXELS } from './config.js';

/** Versions of a creation, besides what the engine gave; then the oldest that is not shown goes. */
export const MAX_EDITED_VERSIONS = 20;
export const VERSION_LABEL_MAX = 80;
const LABEL = `Name the version in up to ${VERSION_LABEL_MAX} characters.`;

const pixels = z
  .number()
  .int()
  .nullable()
  .meta({ description: 'In pixels; null for a text, and where the file is gone.' });

export const creationVersionSchema = z
  .object({
    id: z.uuid(),
    number: z
      .number()
      .int()
      .meta({ description: 'From 1, what the engine gave; a new version has the highest one.' }),
    label: z.string(),
    createdAt: z.iso.datetime(),
    named: z
      .boolean()
      .meta({ description: 'Whether its user named it: later saves then leave it as it is.' }),
    content: z.string().meta({ description: 'Markdown text, or the URL of the image.' }),
    thumbnail: z.string().nullable().meta({ description: 'The URL of a small version of the image.' }),
    type: z
      .string()
      .nullable()
      .meta({ description: 'The media type, such as `image/png`; null for a text.' }),
    width: pixels,
    height: pixels,
    original: z.boolean().meta({ description: 'Whether the engine gave it. It cannot be deleted.' }),
    cutOut: z.boolean().meta({
      description:
        'Whether it is a subject without its background, which edits of the background begin with.',
    }),
    current: z.boolean().meta({ description: 'Whether the creation shows it, also where it is published.' }),
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

/** The multipart body of a new version. */
export const newVersionRequest = {
  input: newVersionSchema,
  files: {
    image: {
      kind: 'image',
      required: true,
      missing: 'Choose an image.',
      maxMegapixels: VERSION_MAX_MEGAPIXELS,
    },
  },
} as const;
