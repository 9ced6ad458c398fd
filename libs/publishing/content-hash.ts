import { createHash } from 'node:crypto';
import type { CreationEntity } from '#libs/database/entities/creations.js';

type Publishable = Pick<CreationEntity, 'content' | 'prompt' | 'publishedCaption' | 'publishedAuthor'>;

/** Hash of everything that a publication shows: another picture, caption or name is decided about again. */
export const contentHashOf = ({ content, prompt, publishedCaption, publishedAuthor }: Publishable): string =>
  createHash('sha256')
    .update(JSON.stringify([content, publishedCaption ?? prompt, publishedAuthor]))
    .digest('hex');
