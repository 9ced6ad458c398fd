import type { Creation } from '#libs/contract/creations.js';

/** The name that the user gave a creation, or else its prompt. */
export const titleOf = ({ name, prompt }: Pick<Creation, 'name' | 'prompt'>): string => name ?? prompt;
