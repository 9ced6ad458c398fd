import type { KatexOptions } from 'katex';

/** Longer formulas are shown as TeX, since typesetting them would freeze the page. */
const MAX_CHARACTERS = 5_000;

export const typesetting: KatexOptions = {
  // Refuses commands that make links, load images or set HTML attributes.
  trust: false,
  strict: 'ignore',
  maxExpand: 500,
  maxSize: 20,
};

/** @throws Error if the TeX is too long */
export function checkedTex(tex: string): string {
  if (tex.length > MAX_CHARACTERS) throw new Error('This formula is too long.');
  return tex;
}
