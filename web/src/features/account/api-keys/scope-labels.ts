import type { KeyScope } from '#libs/contract/api-keys.js';

/** What each scope allows, in the order of the form. */
export const scopeLabels = {
  text: 'Write texts (articles, titles, rewriting)',
  resumes: 'Resumes and letters',
  images: 'Images (generate, remove backgrounds and objects)',
  documents: 'PDFs and notebooks',
  read: 'Read jobs, creations and files',
  write: 'Change creations, cancel jobs',
  webhooks: 'Create and change webhooks',
} satisfies Record<KeyScope, string>;

export const scopesInOrder = Object.keys(scopeLabels) as KeyScope[];
