import type { Creation } from '#libs/contract/creations.js';

/** An article, unless `changes` say otherwise. */
export const buildCreation = (changes: Partial<Creation> = {}): Creation => ({
  id: '11111111-1111-4111-8111-111111111111',
  prompt: 'A topic',
  name: null,
  favourite: false,
  tags: [],
  type: 'article',
  content: 'A text.',
  thumbnail: null,
  engine: 'offline',
  model: null,
  published: false,
  moderation: null,
  page: null,
  created_at: '2026-11-21T08:00:00.000Z',
  revision: 1,
  editable: true,
  likes: [],
  jobId: null,
  settings: null,
  madeFrom: null,
  ...changes,
});
