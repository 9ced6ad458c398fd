import { sentencesOf } from '#libs/local-engine/text/sentences.js';
import { isShown } from './word-paragraph.js';
import type { WordStyles } from './word-styles.js';
import { elementsOf, textOf, type XmlElement } from './xml-tree.js';

/** An element that holds a part of a paragraph's text. */
interface Piece {
  element: XmlElement;
  text: string;
  /** Offset in the paragraph's text. */
  start: number;
  isLink: boolean;
}

export interface Range {
  start: number;
  end: number;
}

export interface EditableParagraph {
  text: string;
  pieces: Piece[];
  /** Letters and digits of the text, and the offset of each in the text. */
  key: string;
  offsets: number[];
  /** The versions that the paragraph belongs to. A text box stands twice in a file, for new and for old versions of Word. */
  versions: XmlElement | null;
}

/** All paragraphs that Word shows, also those in tables and text boxes. */
export function editableParagraphs(
  element: XmlElement,
  styles: WordStyles,
  versions: XmlElement | null = null,
): EditableParagraph[] {
  return elementsOf(element).flatMap((child) => {
    if (!isShown(child, styles)) return [];
    const inner = child.name === 'mc:AlternateContent' ? (versions ?? child) : versions;
    const below = editableParagraphs(child, styles, inner);
    return child.name === 'w:p' ? [readParagraph(child, styles, versions), ...below] : below;
  });
}

function readParagraph(
  element: XmlElement,
  styles: WordStyles,
  versions: XmlElement | null,
): EditableParagraph {
  const pieces: Piece[] = [];
  let text = '';
  const add = (parent: XmlElement, isLink: boolean) => {
    for (const child of elementsOf(parent)) {
      if (!isShown(child, styles) || OTHER_TEXT.has(child.name)) continue;
      const own = child.name === 'w:t' ? textOf(child) : characters[child.name];
      if (own === undefined) add(child, isLink || child.name === 'w:hyperlink');
      else pieces.push({ element: child, text: own, start: text.length, isLink });
      text += own ?? '';
    }
  };
  add(element, false);
  return { text, pieces, versions, ...keyOf(text) };
}

/** Elements within a paragraph whose text is not a part of it, such as text boxes. */
const OTHER_TEXT = new Set(['w:p', 'w:drawing', 'w:pict', 'w:object', 'mc:AlternateContent']);

const characters: Record<string, string> = {
  'w:tab': '\t',
  'w:ptab': '\t',
  'w:br': '\n',
  'w:cr': '\n',
  'w:noBreakHyphen': '-',
  'w:sym': '•',
};

function keyOf(text: string): Pick<EditableParagraph, 'key' | 'offsets'> {
  let key = '';
  const offsets: number[] = [];
  let at = 0;
  for (const character of text) {
    const folded = character
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[^\p{L}\p{N}]+/gu, '');
    key += folded;
    for (let unit = 0; unit < folded.length; unit += 1) offsets.push(at);
    at += character.length;
  }
  return { key, offsets };
}

/** Fewer letters may occur anywhere. */
const MIN_PART = 12;

/** Finds the line or sentence that has the words. Prefers one that has no others. */
export function findLine(
  paragraphs: readonly EditableParagraph[],
  words: string,
  isFree: (paragraph: EditableParagraph, range: Range) => boolean,
): { paragraph: EditableParagraph; range: Range } | null {
  const { key } = keyOf(words);
  if (key === '') return null;
  let part: ReturnType<typeof findLine> = null;
  for (const paragraph of paragraphs) {
    const at = paragraph.key.indexOf(key);
    if (at < 0) continue;
    const range = lineAround(paragraph.text, {
      start: paragraph.offsets[at]!,
      end: paragraph.offsets[at + key.length - 1]! + 1,
    });
    if (!isFree(paragraph, range)) continue;
    if (keyOf(paragraph.text.slice(range.start, range.end)).key === key) return { paragraph, range };
    if (key.length >= MIN_PART) part ??= { paragraph, range };
  }
  return part;
}

const BULLET = /^\s*(?:[•·▪◦●○■□‣⁃*\uf0b7\uf0a7➢►✓–—-]\s*)?/u;

/** Widens a range to whole sentences of its line, without the line's typed bullet. */
function lineAround(text: string, { start, end }: Range): Range {
  const from = text.slice(0, start).search(/[^\n\t]*$/);
  const rest = text.slice(end).search(/[\n\t]/);
  const line = text.slice(from, rest < 0 ? text.length : end + rest);
  const first = BULLET.exec(line)?.[0].length ?? 0;
  const sentences = sentencesOf(line).filter(
    (sentence) => sentence.start + from < end && sentence.end + from > start,
  );
  return {
    start: from + Math.max(first, sentences[0]?.start ?? 0),
    end: from + (sentences.at(-1)?.end ?? line.trimEnd().length),
  };
}
