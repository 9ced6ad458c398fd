/** Characters of a long word. Browsers lay out a word with kerning in a time that grows with the square of its length. */
const LONG = 500;
/** A character at which lines do not break. */
const CHARACTER = String.raw`[^ \t\n\r\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]`;
const LONG_WORD = new RegExp(`(?<!${CHARACTER})${CHARACTER}{${LONG}}`, 'u');

/** True if the text has a word that is shown without kerning, so that it does not freeze the page: 50,000 characters take 20 s. */
export const hasLongWord = (text: string): boolean => LONG_WORD.test(text);
