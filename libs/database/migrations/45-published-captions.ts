import { statements } from './migration.js';

/** What the community sees of a published image, in place of its prompt and its user's name. */
export class PublishedCaptions1700000000045 extends statements(
  `ALTER TABLE creations ADD COLUMN published_caption text, ADD COLUMN published_author text`,
) {}
