import type { Creation } from '#libs/contract/creations.js';

/** What its user named a creation, or else its prompt. */
export const titleOf = ({ name, prompt }: Pick<Creation, 'name' | 'prompt'>): string => name ?? prompt;
