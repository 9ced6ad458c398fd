import words from './seems-english.json' with { type: 'json' };

const foreignWords = new Set(words.foreignWords);
const borrowedWords = new Set(words.borrowedWords);

/**
 * True if a line such as a keyword or a topic may be English: it has no other letters, and no two signs of another language.
 * Names and terms, which no dictionary has, may be English.
 */
export function seemsEnglish(line: string): boolean {
  const letters = line.match(/\p{L}/gu) ?? [];
  const foreign = letters.filter((letter) => !/\p{Script=Latin}/u.test(letter)).length;
  const all = line.match(/\p{L}+/gu) ?? [];
  const small = new Set(all.map((word) => word.toLowerCase()).filter((word) => foreignWords.has(word)));
  const accented = all.filter((word) => /[^a-z]/i.test(word) && !borrowedWords.has(word.toLowerCase()));
  // A word with a capital may be a name.
  const accents = accented.some((word) => /^\p{Ll}/u.test(word)) ? 2 : accented.length > 0 ? 1 : 0;
  const asksInAnother = /^¿|^(?:wie|warum|wieso|weshalb|pourquoi|cómo|qué|perché)\s/iu.test(line);
  return foreign * 3 <= letters.length && small.size + accents < 2 && !asksInAnother;
}
