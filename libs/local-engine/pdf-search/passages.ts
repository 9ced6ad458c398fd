import { contentsLines } from './contents.js';
import { headingsOf } from './headings.js';
import { withoutRunningLines } from './running-lines.js';

/** Consecutive sentences of one page, or pieces of a very long sentence. */
export interface Passage {
  page: number;
  /** The heading above the passage, or empty. */
  heading: string;
  /** Joined by a space (none in Chinese and Japanese), the sentences are the page's text. */
  sentences: string[];
  /** True if the passage is part of a table of contents or an index. */
  isContents: boolean;
}

/** The longest passage in characters, unless one sentence is longer. */
const PASSAGE_CHARACTERS = 600;
/** Longer text without an end of a sentence, such as a table, is divided between words. */
const SENTENCE_CHARACTERS = 500;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** The passages of each page, without running headers and footers. */
export function* passagesByPage(pages: string[]): Generator<Passage[]> {
  for (const [index, text] of withoutRunningLines(pages).entries()) {
    yield pagePassages(text, index + 1, contentsLines(text, pages.length));
  }
}

export const textOf = ({ sentences }: Passage) => sentences.reduce(joinText, '');

export function joinText(before: string, after: string): string {
  return before + spaceBetween(before, after) + after;
}

const UNSPACED = /[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]/u;

function spaceBetween(before: string, after: string): string {
  if (!before || !after) return '';
  return UNSPACED.test(before.slice(-1)) && UNSPACED.test(after.slice(0, 1)) ? '' : ' ';
}

function pagePassages(text: string, page: number, contents: Set<number>): Passage[] {
  const isHeading = new Set(headingsOf(text));
  const isFull = fullLineTest(text);
  const passages: Passage[] = [];
  let headings: string[] = [];
  let lines: string[] = [];
  const flush = () => {
    if (lines.length === 0) return;
    passages.push(
      ...pack([...headings, ...sentencesOf(lines, isFull)], { page, heading, isContents: inContents }),
    );
    headings = [];
    lines = [];
  };
  let heading = '';
  let inContents = false;
  for (const [at, line] of text.split('\n').entries()) {
    if (line !== '' && contents.has(at) !== inContents) {
      flush();
      inContents = contents.has(at);
    }
    if (isHeading.has(line) && !inContents) {
      flush();
      // The heading is part of the first passage below it, so that it can be found and quoted.
      headings.push(line);
      heading = line;
    } else if (line === '') flush();
    else lines.push(line);
  }
  flush();
  if (headings.length > 0) passages.push({ page, heading, sentences: headings, isContents: false });
  return passages;
}

function pack(sentences: string[], of: Omit<Passage, 'sentences'>): Passage[] {
  const passages: Passage[] = [];
  let current: string[] = [];
  let length = 0;
  for (const sentence of sentences) {
    if (current.length > 0 && length + sentence.length > PASSAGE_CHARACTERS) {
      passages.push({ ...of, sentences: current });
      // Passages overlap by one sentence.
      const last = current.at(-1) ?? '';
      current = last.length < PASSAGE_CHARACTERS / 3 ? [last] : [];
      length = current.join('').length;
    }
    current.push(sentence);
    length += sentence.length;
  }
  if (current.length > 0) passages.push({ ...of, sentences: current });
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

function sentencesOf(lines: string[], isFull: (line: string) => boolean): string[] {
  const runs: string[][] = [];
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1] ?? '';
    const run = runs.at(-1);
    const isNew = ITEM.test(line) || (BEGINS_SENTENCE.test(line) && !isFull(before));
    if (run === undefined || isNew) runs.push([line]);
    else run.push(spaceBetween(before, line), line);
  }
  return runs.flatMap((run) =>
    mergeAbbreviations(Array.from(segmenter.segment(run.join('')), ({ segment }) => segment)).flatMap(
      divideLong,
    ),
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
