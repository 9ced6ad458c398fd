/** A position in a list of texts: index of the text, and offset in it in UTF-16 code units. */
interface Position {
  index: number;
  offset: number;
}

export interface Passage {
  from: Position;
  /** End of the passage, exclusive. */
  to: Position;
}

/** Letters and digits of texts, without case, with the properties of each UTF-16 code unit. */
interface Key {
  key: string;
  positions: (Position & { length: number })[];
  /** 1 where a word starts or, for `ends`, where it ends; 2 where a text starts or ends, within which a word may continue. */
  starts: Uint8Array;
  ends: Uint8Array;
}

/** A run of equal letters: its start in the quote and on the page. */
interface Run {
  quote: number;
  page: number;
  length: number;
}

/** Only letters and digits are compared, without case, since white space, hyphens and quotation marks can differ. */
const SIGNIFICANT = /[\p{L}\p{N}]/u;
/** Scripts without spaces between words. A word can start and end at each of their characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}]/u;
/** Marks within words, which never count: combining marks, soft hyphens, joiners, bidirectional marks and Arabic tatweel. */
const IGNORED = /[\p{M}\p{Cf}\u0640]/u;
/** Line breaks in the cells of a table. */
const CELL_BREAKS = /<br\s*\/?>/gi;

/** The share of a quote's letters that a page must have, if the page doesn't have the quote in one piece. */
const SHARE_FOUND = 0.6;
/**
 * Shorter runs can stand anywhere by chance. They count only if they are a whole text, such as a label or a cell, or this near
 * to a longer run of the same quote.
 */
const SHORT_RUN = 7;
const NEAR = 250;
/** Maximum number of letters to compare in a search for parts, which takes about a quarter of a second. */
const MAX_COMPARED = 30_000_000;

/**
 * Finds a quote in the texts of a PDF page. PDFs split text at line ends and font changes. If the page doesn't have the quote in
 * one piece, finds its parts: a quoted row of a table names its column heads, a form field has its label in the text and its
 * value elsewhere, and columns can alternate line by line.
 * @returns one passage, several for parts, or [] if not found. Passages are in the order of the texts.
 */
export function findPassages(texts: readonly string[], quote: string): Passage[] {
  const wanted = keyOf([quote.replace(CELL_BREAKS, ' ')]);
  if (wanted.key === '') return [];
  const page = keyOf(texts);
  const start = indexOfWhole(page, wanted.key);
  const runs =
    start === -1 ? findParts(page, wanted) : [{ quote: 0, page: start, length: wanted.key.length }];
  return runs.flatMap((run) => {
    const [first, last] = [page.positions[run.page], page.positions[run.page + run.length - 1]];
    if (first === undefined || last === undefined) return [];
    return [
      {
        from: { index: first.index, offset: first.offset },
        to: { index: last.index, offset: last.offset + last.length },
      },
    ];
  });
}

/** Start of the first occurrence that consists of whole words, or else of the first occurrence; -1 if there is none. */
function indexOfWhole({ key, starts, ends }: Key, wanted: string): number {
  const first = key.indexOf(wanted);
  for (let at = first; at !== -1; at = key.indexOf(wanted, at + 1))
    if (starts[at] !== 0 && ends[at + wanted.length - 1] !== 0) return at;
  return first;
}

/** Covers a quote with runs of the page, the longest first. Runs do not overlap. */
function findParts(page: Key, quote: Key): Run[] {
  const runs: Run[] = [];
  let left = MAX_COMPARED;
  const cover = (from: number, to: number, near: Run | null) => {
    left -= (to - from) * page.key.length;
    const run = left < 0 ? null : longestRun(page, quote, from, to, near);
    if (run === null) return;
    cover(from, run.quote, run);
    runs.push(run);
    cover(run.quote + run.length, to, run);
  };
  cover(0, quote.key.length, null);
  if (lettersOfWholeWords(quote, runs) < quote.key.length * SHARE_FOUND) return [];
  return runs.sort((a, b) => a.page - b.page);
}

/** Number of letters in the words of a quote that runs cover from start to end. */
function lettersOfWholeWords({ key, starts, ends }: Key, runs: readonly Run[]): number {
  const covered = new Uint8Array(key.length);
  for (const { quote, length } of runs) covered.fill(1, quote, quote + length);
  let letters = 0;
  let start = 0;
  for (let at = 0; at < key.length; at += 1) {
    if (starts[at] !== 0) start = at;
    if (ends[at] !== 0 && !covered.subarray(start, at + 1).includes(0)) letters += at + 1 - start;
  }
  return letters;
}

/** The longest run of whole words between two offsets of the quote; the nearest one if several are equally long. */
function longestRun(page: Key, quote: Key, from: number, to: number, near: Run | null): Run | null {
  let best: Run | null = null;
  const distance = (at: number) => (near === null ? at : Math.abs(at - near.page));
  // `lengths[p]` is the length of the common run that ends before `p` on the page and before `q` in the quote.
  const lengths = new Uint16Array(page.key.length + 1);
  for (let q = from; q < to; q += 1) {
    for (let p = page.key.length - 1; p >= 0; p -= 1) {
      if (page.key[p] !== quote.key[q]) {
        lengths[p + 1] = 0;
        continue;
      }
      const length = (lengths[p] ?? 0) + 1;
      lengths[p + 1] = length;
      if (length < (best?.length ?? 1) || !bounds(page.ends, p, quote.ends, q)) continue;
      let [run, skipped] = [length, 0];
      while (run > 0 && !bounds(page.starts, p - run + 1, quote.starts, q - run + 1)) {
        run -= 1;
        skipped += 1;
      }
      if (run === 0 || run < (best?.length ?? 0)) continue;
      const start = p - length + 1 + skipped;
      const isText = page.starts[start] === 2 && page.ends[p] === 2;
      if (run < SHORT_RUN && !isText && (near === null || distance(start) > NEAR)) continue;
      if (best === null || run > best.length || distance(start) < distance(best.page))
        best = { quote: q - run + 1, page: start, length: run };
    }
  }
  return best;
}

/** True if a word starts (or ends) in both texts. At the start or end of a text on the page, a word may be divided. */
const bounds = (page: Uint8Array, p: number, quote: Uint8Array, q: number) =>
  page[p] === 2 || (page[p] === 1 && quote[q] !== 0);

function keyOf(texts: readonly string[]): Key {
  let key = '';
  const positions: Key['positions'] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (const [index, text] of texts.entries()) {
    let offset = 0;
    let inWord = false;
    const startOfText = key.length;
    for (const character of text) {
      const letters = comparable(character);
      const unspaced = UNSPACED.test(character);
      if (letters.length === 0) {
        if (inWord && !IGNORED.test(character)) {
          inWord = false;
          ends[key.length - 1] = 1;
        }
      } else {
        if (!inWord || unspaced) {
          if (inWord) ends[key.length - 1] = 1;
          starts[key.length] = 1;
        }
        for (const letter of letters) {
          key += letter;
          for (let unit = 0; unit < letter.length; unit += 1)
            positions.push({ index, offset, length: character.length });
        }
        inWord = true;
        if (unspaced) ends[key.length - 1] = 1;
      }
      offset += character.length;
    }
    if (key.length > startOfText) {
      starts[startOfText] = 2;
      ends[key.length - 1] = 2;
    }
  }
  const flags = (marks: number[]) => Uint8Array.from({ length: key.length }, (_, at) => marks[at] ?? 0);
  return { key, positions, starts: flags(starts), ends: flags(ends) };
}

const comparable = (character: string) =>
  Array.from(character.normalize('NFKD').toLowerCase()).filter(
    (letter) => SIGNIFICANT.test(letter) && !IGNORED.test(letter),
  );
