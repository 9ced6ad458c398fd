import { isEnglishWord } from '#libs/local-engine/text/english-words.js';
import { technologyProducts, type Skill } from './skills.js';

/** Longer runs of letters are no words, and the pattern of product names is slow on them. */
export const LONGEST_WORD = 40;

/**
 * True if words name one product, language or standard ("Java", "Core Web Vitals"), not a field ("web development").
 * @param isFirst whether they begin a sentence, where every word has a capital
 * @param skill the known skill that they name, if any
 */
export function isNamedProduct(words: string, isFirst: boolean, skill?: Skill): boolean {
  if (skill && technologyProducts.has(skill)) return true;
  const parts = words.split(/\s+/);
  if (parts.some((word) => hasProductForm(word))) return true;
  return parts.some(
    (word, index) =>
      /^\p{Lu}/u.test(word) &&
      !(isFirst && index === 0 && isEnglishWord(word.toLowerCase().replace(/\W+$/, ''))),
  );
}

/** Mixed case, an acronym, or letters with digits or signs: "LaunchDarkly", "WCAG", "C++", "Node.js", "S3". */
export const hasProductForm = (word: string) =>
  word.length <= LONGEST_WORD &&
  /\p{Ll}\p{Lu}|^[\p{Lu}\d&/.-]*\p{Lu}[\p{Lu}\d&/.-]*\p{Lu}[\p{Lu}\d]*s?$|\p{L}\d|\p{L}[+#]|\p{L}\.\p{L}|^\.\p{L}/u.test(
    word,
  ) &&
  !/^(?:i\.e|e\.g|a\.m|p\.m)/i.test(word);
