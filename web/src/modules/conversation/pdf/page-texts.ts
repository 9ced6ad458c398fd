import type { PdfWord } from '#libs/contract/pdf-chats.js';
import { findPassages, type Passage } from './find-passages';

export type Box = Omit<PdfWord, 'text'>;

/** A text of a page, with its place: a node of the text layer, or a box in fractions of the page as displayed. */
export type PageText = { text: string } & ({ node: Text } | { box: Box });

export interface Marks {
  ranges: Range[];
  boxes: Box[];
}

/** Places of a quote on a page; null if the page doesn't contain the quote. */
export function findMarks(texts: readonly PageText[], quote: string): Marks | null {
  const passages = findPassages(
    texts.map(({ text }) => text),
    quote,
  );
  if (passages.length === 0) return null;
  const marks: Marks = { ranges: [], boxes: [] };
  for (const passage of passages) addMarks(marks, texts, passage);
  return { ...marks, boxes: joinLines(marks.boxes) };
}

function addMarks({ ranges, boxes }: Marks, texts: readonly PageText[], { from, to }: Passage): void {
  let range: Range | null = null;
  for (let index = from.index; index <= to.index; index += 1) {
    const text = texts[index];
    if (text === undefined) continue;
    if ('box' in text) {
      boxes.push({ ...text.box });
      range = null;
      continue;
    }
    if (range === null) {
      range = document.createRange();
      range.setStart(text.node, index === from.index ? from.offset : 0);
      ranges.push(range);
    }
    range.setEnd(text.node, index === to.index ? to.offset : text.node.length);
  }
}

/** Joins boxes of one line, and drops repeated ones. A slanted or vertical line keeps several boxes. */
function joinLines(boxes: readonly Box[]): Box[] {
  const joined: Box[] = [];
  for (const { left, top, right, bottom } of boxes) {
    const line = joined.at(-1);
    const rise = line ? Math.abs(line.top + line.bottom - top - bottom) / 2 : Infinity;
    if (line && rise < (bottom - top) * 0.35 && left >= line.left) {
      line.top = Math.min(line.top, top);
      line.right = Math.max(line.right, right);
      line.bottom = Math.max(line.bottom, bottom);
    } else joined.push({ left, top, right, bottom });
  }
  return joined;
}

/** Texts of a page's text layer. */
export function textsOf(layer: Element): PageText[] {
  const texts: PageText[] = [];
  const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    texts.push({ text: node.data, node });
  }
  return texts;
}

/** Words that OCR recognised, as texts of the page. */
export const textsOfWords = (words: readonly PdfWord[]): PageText[] =>
  words.map(({ text, ...box }) => ({ text, box }));

const CLASS = 'citedBoxes';

/** Marks boxes on a page of the viewer and removes earlier marks. @returns the first mark; null if there are no boxes */
export function markBoxes(page: Element, boxes: readonly Box[]): Element | null {
  clearMarks(page);
  const layer = document.createElement('div');
  layer.className = CLASS;
  layer.setAttribute('aria-hidden', 'true');
  for (const { left, top, right, bottom } of boxes) {
    const mark = document.createElement('mark');
    mark.style.left = percent(left);
    mark.style.top = percent(top);
    mark.style.width = percent(right - left);
    mark.style.height = percent(bottom - top);
    layer.append(mark);
  }
  page.append(layer);
  return layer.firstElementChild;
}

export const clearMarks = (root: ParentNode | null) =>
  root?.querySelectorAll(`.${CLASS}`).forEach((layer) => layer.remove());

const percent = (share: number) => `${share * 100}%`;
