/** Scripts that put no spaces between words: here each character counts as one. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

export interface WordCount {
  /** Takes in the next piece and returns the words so far; a word may be cut in two by a piece's end. */
  add(piece: string): number;
}

/** Counts words as a text streams in, without going through it again: a measure of progress, not of style. */
export function createWordCount(): WordCount {
  let words = 0;
  let inWord = false;
  return {
    add(piece) {
      for (const character of piece) {
        if (unspaced.test(character)) {
          words += 1;
          inWord = false;
        } else if (/[\p{L}\p{N}]/u.test(character)) {
          if (!inWord) words += 1;
          inWord = true;
        } else if (/\s/u.test(character)) {
          inWord = false;
        }
      }
      return words;
    },
  };
}
