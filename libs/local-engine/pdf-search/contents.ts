/** A line of a table of contents: `Care ........ 12`. */
const LEADERS = /(?:\.\s?|…\s?|·\s?|_){4,}\s*(?:p\.?\s*)?(?:\d{1,4}|[ivxlc]{1,6})$/iu;
/** `2.3 Care 12` */
const ENTRY = /^(?:\d+(?:\.\d+)*\.?\s+|[IVX]+\.\s+|\p{Lu}).{1,80}?\s(\d{1,4})$/u;
/** A line of an index: `bearings, 12, 45–47` */
const INDEXED = /^[\p{L}"“'(].{0,60}?,\s(?:\d{1,4}(?:\s?[–-]\s?\d{1,4})?,\s)*\d{1,4}(?:\s?[–-]\s?\d{1,4})?$/u;
const TITLE =
  /^(?:table of )?contents:?$|^(?:index|subject index|name index|inhalt|inhaltsverzeichnis|sommaire|table des matières|índice|contenido|sumário|indice)$/iu;

const LONGEST_LINE = 300;
/** Shorter runs of these lines are not taken for a table of contents. */
const FEWEST_LINES = 4;

/**
 * The positions of the lines of a table of contents or an index on a page. Lines of a table of figures end in numbers
 * too, but these do not rise from line to line within the number of pages.
 */
export function contentsLines(page: string, pageCount: number): Set<number> {
  const lines = page.split('\n');
  const found = new Set<number>();
  const title = lines.findIndex((line) => TITLE.test(line.trim()));
  if (title >= 0) found.add(title);
  let run: { at: number; page: number }[] = [];
  const end = () => {
    const rises = run.every(({ page: number }, k) => k === 0 || number >= (run[k - 1]?.page ?? 0));
    const last = run.at(-1)?.page ?? 0;
    const isListing = rises && last > (run[0]?.page ?? 0) && last <= pageCount + 30;
    if (run.length >= FEWEST_LINES && isListing) for (const { at } of run) found.add(at);
    run = [];
  };
  const indexed: number[] = [];
  for (const [at, text] of lines.entries()) {
    // A longer line is no entry, and would make the patterns slow.
    const line = text.length > LONGEST_LINE ? '…' : text.trim();
    if (LEADERS.test(line)) found.add(at);
    const entry = ENTRY.exec(line);
    if (entry) run.push({ at, page: Number(entry[1]) });
    else if (line !== '') end();
    if (INDEXED.test(line)) indexed.push(at);
  }
  end();
  const filled = lines.filter((line) => line.trim() !== '').length;
  if (indexed.length >= (title >= 0 ? FEWEST_LINES : 2 * FEWEST_LINES) && indexed.length > filled / 2)
    for (const at of indexed) found.add(at);
  // A title without entries is normal text.
  return found.size > 1 ? found : new Set();
}

/** True if a question may be about the table of contents or the index itself. */
export const asksForContents = (question: string): boolean =>
  /\b(?:contents|index|chapters?|inhaltsverzeichnis|sommaire|índice)\b/iu.test(question);
