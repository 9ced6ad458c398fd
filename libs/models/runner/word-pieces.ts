/** Longer words are not known to the model. */
const LONGEST_WORD = 100;
/** An ideograph and a punctuation mark is a word of its own. */
const WORD = /[\p{Script=Han}]|[!-/:-@[-`{-~\p{P}]|[^\s\p{Script=Han}!-/:-@[-`{-~\p{P}]+/gu;
/** What BERT leaves out; a letter that a PDF does not name is U+FFFD. */
const NO_CHARACTER = /[\ufeff\ufffd]|[^\P{C}\s]/gu;

/**
 * The WordPiece tokenizer of BERT: divides texts into words without case and accents, and those into the longest pieces that
 * its vocabulary has.
 * @param vocabulary the number of each piece; a piece within a word starts with `##`
 */
export function wordPieces(vocabulary: Record<string, number>, mostTokens: number) {
  const ids = new Map(Object.entries(vocabulary));
  const special = (piece: string) => ids.get(piece) as number;
  const [start, end, unknown] = [special('[CLS]'), special('[SEP]'), special('[UNK]')];
  const piecesOf = (word: string): number[] => {
    const pieces: number[] = [];
    for (let at = 0; at < word.length;) {
      let to = word.length;
      const pieceTo = (last: number) => ids.get(`${at > 0 ? '##' : ''}${word.slice(at, last)}`);
      while (to > at && pieceTo(to) === undefined) to -= 1;
      if (to === at) return [unknown];
      pieces.push(pieceTo(to) as number);
      at = to;
    }
    return pieces;
  };
  return (text: string): number[] => {
    const tokens: number[] = [];
    const plain = text
      .replace(NO_CHARACTER, '')
      .toLowerCase()
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '');
    for (const [word] of plain.matchAll(WORD)) {
      tokens.push(...(word.length > LONGEST_WORD ? [unknown] : piecesOf(word)));
      if (tokens.length >= mostTokens) break;
    }
    return [start, ...tokens.slice(0, mostTokens - 2), end];
  };
}
