import dictionary from 'dictionary-en';
import nspell from 'nspell';

let checker: nspell | undefined;

/** Whether a word in small letters is one of the English language, as its dictionary has it; names are not. */
export function isEnglishWord(word: string): boolean {
  // Loading takes some 150 ms and 15 MB: done when it is first needed.
  checker ??= nspell({ aff: Buffer.from(dictionary.aff), dic: Buffer.from(dictionary.dic) });
  return checker.correct(word);
}
