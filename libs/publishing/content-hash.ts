import { createHash } from 'node:crypto';
import type { CreationEntity } from '#libs/database/entities/creations.js';

type Publishable = Pick<CreationEntity, 'content' | 'prompt' | keyof PublishedWords>;

/** Words that a user publishes with a picture. */
export type PublishedWords = Pick<CreationEntity, 'publishedCaption' | 'publishedAuthor' | 'publishedName'>;

/** Hash of everything that a publication shows: another picture, caption or name is decided about again. */
export const contentHashOf = ({ content, prompt, ...words }: Publishable): string =>
  createHash('sha256')
    .update(JSON.stringify([content, words.publishedCaption ?? prompt, shownName(words)]))
    .digest('hex');

const shownName = ({ publishedAuthor, publishedName }: PublishedWords): string | null =>
  publishedAuthor ?? publishedName;

/** What the check reads: the caption and the name, each on a line. */
export const shownText = ({ prompt, ...words }: Omit<Publishable, 'content'>): string =>
  [words.publishedCaption ?? prompt, shownName(words)].filter(Boolean).join('\n');
