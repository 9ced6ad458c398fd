import { headingsOf } from './headings.js';
import { withoutRunningLines } from './running-lines.js';

/** Consecutive sentences of one page, or pieces of a very long sentence. */
export interface Passage {
  page: number;
  /** The heading above it, if any. */
  heading: string;
  /** Its sentences; joined by a space (none in Chinese and Japanese) they are the page's text. */
  sentences: string[];
}

/** The longest passage in characters, unless one sentence is longer. */
const PASSAGE_CHARACTERS = 600;
/** Longer text without an end of a sentence, such as a table, is divided between words. */
const SENTENCE_CHARACTERS = 500;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** The passages of each page, without running headers and footers. */
export function* passagesByPage(pages: string[]): Generator<Passage[]> {
  for (const [index, text] of withoutRunningLines(pages).entries()) yield pagePassages(text, index + 1);
}

export const textOf = ({ sentences }: Passage) => sentences.reduce(joinText, '');

export function joinText(before: string, after: string): string {
  if (!before || !after) return before + after;
  const unspaced = /[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]$/u;
  return unspaced.test(before) && /^[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]/u.test(after)
    ? before + after
    : `${before} ${after}`;
}

function pagePassages(text: string, page: number): Passage[] {
  const isHeading = new Set(headingsOf(text));
  const passages: Passage[] = [];
  let headings: string[] = [];
  let lines: string[] = [];
  const flush = () => {
    if (lines.length === 0) return;
    passages.push(...pack([...headings, ...sentencesOf(lines)], page, heading));
    headings = [];
    lines = [];
  };
  let heading = '';
  for (const line of text.split('\n')) {
    if (isHeading.has(line)) {
      flush();
      // The heading is part of the first passage below it, so that it can be found and quoted.
      headings.push(line);
      heading = line;
    } else if (line === '') flush();
    else lines.push(line);
  }
  flush();
  if (headings.length > 0) passages.push({ page, heading, sentences: headings });
  return passages;
}

function pack(sentences: string[], page: number, heading: string): Passage[] {
  const passages: Passage[] = [];
  let current: string[] = [];
  let length = 0;
  for (const sentence of sentences) {
    if (current.length > 0 && length + sentence.length > PASSAGE_CHARACTERS) {
      passages.push({ page, heading, sentences: current });
      // Passages overlap by one sentence.
      const last = current.at(-1) ?? '';
      current = last.length < PASSAGE_CHARACTERS / 3 ? [last] : [];
      length = current.join('').length;
    }
    current.push(sentence);
    length += sentence.length;
  }
  if (current.length > 0) passages.push({ page, heading, sentences: current });
  return passages;
}

/** A list item starts a new sentence. */
const ITEM = /^(?:[•·▪‣–—*-]|\(?\d{1,3}[.)]|\(?[a-z]\))\s/u;

function sentencesOf(lines: string[]): string[] {
  const runs: string[] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last === undefined || ITEM.test(line)) runs.push(line);
    else runs[runs.length - 1] = joinText(last, line);
  }
  return runs.flatMap((run) =>
    mergeAbbreviations(Array.from(segmenter.segment(run), ({ segment }) => segment)).flatMap(divideLong),
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
