import { isEnglishWord } from './english-words.js';
import { detectLanguage } from './language.js';
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
  return foreign * 3 <= letters.length && small.size + accents < 2 && !asksInAnother && !isUnknown(line);
}

/** True if the dictionary lacks most words of a line that the detector takes for another language: "recetas faciles". */
function isUnknown(line: string): boolean {
  const { code, isReliable } = detectLanguage(line);
  if (code === '' || code === 'en') return false;
  const all = line.match(/\p{L}+(?:['’]\p{L}+)*/gu) ?? [];
  const capitals = all.filter((word) => /^\p{Lu}/u.test(word));
  // A single capital is the first word's, others are of names, but German nouns have one too.
  const judged = code === 'de' || capitals.length < 2 ? all : all.filter((word) => !capitals.includes(word));
  const unknown = judged
    .map((word) => word.toLowerCase().replace('’', "'"))
    .filter((word) => !borrowedWords.has(word) && !isEnglishWord(word));
  // Two words may be names, which the detector is rarely sure of.
  return unknown.length * 2 > judged.length && judged.length > 1 && (judged.length > 2 || isReliable);
}
