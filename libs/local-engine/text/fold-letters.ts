/** A text in lower case, without accents and ligatures. */
export const foldLetters = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
