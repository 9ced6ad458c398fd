import { contentsLines } from './contents.js';
import { findTables, namedRow, type MarkdownTable } from '#libs/local-engine/text/markdown-tables.js';
import { headingsOf } from './headings.js';
import { withoutRunningLines } from './running-lines.js';

/** Consecutive sentences of one page, pieces of a very long sentence, or rows of a table. */
export interface Passage {
  page: number;
  /** The heading above the passage, or empty. */
  heading: string;
  /**
   * Joined by a space (none in Chinese and Japanese), the sentences are the page's text. Each row of a table is a sentence that
   * names its columns.
   */
  sentences: string[];
  /** Line breaks before each sentence, or empty if it follows the sentence before within a paragraph. Default: empty. */
  breaks?: string[];
  /** A part of a table, as lines of Markdown with the table's head. */
  tableLines?: string[];
  /** True if the passage is part of a table of contents or an index. */
  isContents: boolean;
}

/** The longest passage in characters, unless one sentence is longer. */
const PASSAGE_CHARACTERS = 600;
/** Longer text without an end of a sentence, such as a table, is divided between words. */
const SENTENCE_CHARACTERS = 500;

/** Paragraphs are joined until they have this many characters. */
const SHORT_PARAGRAPHS = 200;
/** A longer line above a table is not its title. */
const TITLE_CHARACTERS = 160;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** The passages of each page of several documents. @param starts index of each document's first page */
export function* passagesOfDocuments(pages: string[], starts: readonly number[]): Generator<Passage[]> {
  for (const [at, start] of starts.entries()) {
    for (const passages of passagesByPage(pages.slice(start, starts[at + 1]))) {
      yield passages.map((passage) => ({ ...passage, page: passage.page + start }));
    }
  }
}

/** The passages of each page, without running headers and footers. */
export function* passagesByPage(pages: string[]): Generator<Passage[]> {
  for (const [index, text] of withoutRunningLines(pages).entries()) {
    yield pagePassages(text, index + 1, contentsLines(text, pages.length));
  }
}

export const textOf = ({ sentences }: Passage) => sentences.reduce(joinText, '');

/** The passage with its line breaks and tables, without the sentences before `from`. */
export function markdownOf({ sentences, breaks = [], tableLines }: Passage, from = 0): string {
  if (tableLines) return tableLines.join('\n');
  return sentences
    .slice(from)
    .reduce(
      (text, sentence, at) =>
        breaks[from + at] && text ? text + breaks[from + at]! + sentence : joinText(text, sentence),
      '',
    );
}

export function joinText(before: string, after: string): string {
  return before + spaceBetween(before, after) + after;
}

const UNSPACED = /[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]/u;

function spaceBetween(before: string, after: string): string {
  if (!before || !after) return '';
  return UNSPACED.test(before.slice(-1)) && UNSPACED.test(after.slice(0, 1)) ? '' : ' ';
}

function pagePassages(text: string, page: number, contents: Set<number>): Passage[] {
  const pageLines = text.split('\n');
  const tables = new Map(findTables(pageLines).map((table) => [table.start, table]));
  const isHeading = new Set(headingsOf(text));
  const isFull = fullLineTest(text);
  const passages: Passage[] = [];
  let headings: string[] = [];
  let lines: string[] = [];
  const flush = () => {
    if (lines.every((line) => line === '')) return;
    const titles = headings.map((sentence) => ({ sentence, lineBreak: '\n' }));
    passages.push(
      ...pack([...titles, ...sentencesOf(lines, isFull)], { page, heading, isContents: inContents }),
    );
    headings = [];
    lines = [];
  };
  let heading = '';
  let inContents = false;
  let tableEnd = 0;
  for (const [at, line] of pageLines.entries()) {
    const table = tables.get(at);
    if (table) {
      // A single line above a table is its title.
      const title = isTitle(lines) ? lines.splice(0).filter(Boolean) : [];
      flush();
      lines = [];
      passages.push(
        ...packTable(table, pageLines, [...headings, ...title], { page, heading, isContents: false }),
      );
      headings = [];
      tableEnd = table.end;
    }
    if (at < tableEnd) continue;
    if (line !== '' && contents.has(at) !== inContents) {
      flush();
      inContents = contents.has(at);
    }
    if (isHeading.has(line) && !inContents) {
      flush();
      // The heading is part of the first passage below it, so that it can be found and quoted.
      headings.push(line);
      heading = line;
    } else if (line === '') {
      lines.push('');
      // Short paragraphs are one passage. The title of a table belongs to the table.
      const isTableTitle = tables.has(at + 1) && isTitle(lines);
      if (!isTableTitle && lines.join(' ').length > SHORT_PARAGRAPHS) {
        flush();
        lines = [];
      }
    } else lines.push(line);
  }
  flush();
  if (headings.length > 0) passages.push({ page, heading, sentences: headings, isContents: false });
  return passages;
}

const isTitle = (lines: string[]) =>
  lines.filter(Boolean).length === 1 && lines.join('').length <= TITLE_CHARACTERS;

/** Divides the rows of a table. Each part has the table's head, so that its values can be understood. */
function packTable(
  { start, head, rows }: MarkdownTable,
  pageLines: readonly string[],
  above: string[],
  of: Omit<Passage, 'sentences'>,
): Passage[] {
  const passages: Passage[] = [];
  const headLines = pageLines.slice(start, start + 2);
  let current = { sentences: above, tableLines: above };
  const flush = () => {
    if (current.sentences.length > 0) passages.push({ ...of, ...current });
  };
  let length = 0;
  for (const [at, row] of rows.entries()) {
    const sentence = namedRow(head, row);
    if (sentence === '') continue;
    if (length > 0 && length + sentence.length > PASSAGE_CHARACTERS) {
      flush();
      current = { sentences: [], tableLines: [] };
      length = 0;
    }
    if (length === 0) current.tableLines = [...current.tableLines, ...headLines];
    current.sentences = [...current.sentences, sentence];
    current.tableLines.push(pageLines[start + 2 + at]!);
    length += sentence.length;
  }
  flush();
  return passages;
}

interface Sentence {
  sentence: string;
  lineBreak: string;
}

function pack(found: Sentence[], of: Pick<Passage, 'page' | 'heading' | 'isContents'>): Passage[] {
  const passages: Passage[] = [];
  let current: Sentence[] = [];
  const flush = () =>
    passages.push({
      ...of,
      sentences: current.map(({ sentence }) => sentence),
      breaks: current.map(({ lineBreak }) => lineBreak),
    });
  let length = 0;
  for (const next of found) {
    if (current.length > 0 && length + next.sentence.length > PASSAGE_CHARACTERS) {
      flush();
      // Passages overlap by one sentence.
      const last = current.at(-1)!;
      const isShort = last.sentence.length < PASSAGE_CHARACTERS / 3;
      current = isShort ? [last] : [];
      length = isShort ? last.sentence.length : 0;
    }
    current.push(next);
    length += next.sentence.length;
  }
  if (current.length > 0) flush();
  return passages;
}

/** A list item starts a new sentence. */
const ITEM = /^(?:[•·▪‣–—*-]|\(?\d{1,3}[.)]|\(?[a-z]\))\s/u;

/** A line below this share of the page's width ends a paragraph, if the next line begins a sentence. */
const FULL_SHARE = 0.7;
const BEGINS_SENTENCE = /^[\p{Lu}\p{N}+(“"]/u;

/** Returns a function that recognises lines up to the page's right edge, which are wrapped text. */
function fullLineTest(text: string): (line: string) => boolean {
  const lengths = text
    .split('\n')
    .map(({ length }) => length)
    .sort((a, b) => a - b);
  const width = lengths[Math.floor(lengths.length * 0.9)] ?? 0;
  return ({ length }) => length >= width * FULL_SHARE;
}

function sentencesOf(lines: string[], isFull: (line: string) => boolean): Sentence[] {
  const runs: { parts: string[]; lineBreak: string }[] = [];
  for (const [at, line] of lines.entries()) {
    if (line === '') continue;
    const before = lines[at - 1] ?? '';
    const run = runs.at(-1);
    const isNew = before === '' || ITEM.test(line) || (BEGINS_SENTENCE.test(line) && !isFull(before));
    if (run === undefined || isNew) runs.push({ parts: [line], lineBreak: before === '' ? '\n\n' : '\n' });
    else run.parts.push(spaceBetween(before, line), line);
  }
  return runs.flatMap(({ parts, lineBreak }) =>
    mergeAbbreviations(Array.from(segmenter.segment(parts.join('')), ({ segment }) => segment))
      .flatMap(divideLong)
      .map((sentence, at) => ({ sentence, lineBreak: at === 0 ? lineBreak : '' })),
  );
}

/** Splits a sentence into pieces that are separated by a space. */
function divideLong(sentence: string): string[] {
  const pieces: string[] = [];
  let rest = sentence;
  while (rest.length > SENTENCE_CHARACTERS) {
    const end = rest.lastIndexOf(' ', SENTENCE_CHARACTERS);
    if (end <= 0) break;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end + 1);
  }
  return [...pieces, rest];
}

/** Merges very short sentences, since the segmenter ends one after "Dr." and "No.". */
function mergeAbbreviations(segments: string[]): string[] {
  const sentences: string[] = [];
  let held = '';
  for (const segment of segments) {
    held += segment;
    if (
      /(?:^|[\s(])(?:\p{Lu}|\d{1,3}|Dr|Mr|Mrs|Ms|Prof|St|No|Nos|Fig|Sec|Art|approx|vs|e\.g|i\.e|cf|p|pp|Inc|Ltd|Co)\.\s*$/u.test(
        held,
      )
    )
      continue;
    sentences.push(held.trim());
    held = '';
  }
  if (held.trim()) sentences.push(held.trim());
  return sentences.filter(Boolean);
}
