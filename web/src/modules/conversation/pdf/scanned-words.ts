import type { PdfWord } from '#libs/contract/pdf-chats.js';
import { findPassage } from './find-passage';

type Box = Omit<PdfWord, 'text'>;

/** Boxes around a quote on a scanned page, one box per line; [] if the page doesn't contain the quote. */
export function boxesOf(words: readonly PdfWord[], quote: string): Box[] {
  const passage = findPassage(
    words.map(({ text }) => text),
    quote,
  );
  if (passage === null) return [];
  const boxes: Box[] = [];
  for (const { left, top, right, bottom } of words.slice(passage.from.index, passage.to.index + 1)) {
    const line = boxes.at(-1);
    // Extend the line's box unless the word is too high or low. A slanted line thus gets several boxes.
    const rise = line ? Math.abs(line.top + line.bottom - top - bottom) / 2 : Infinity;
    if (line && rise < (bottom - top) * 0.35 && left >= line.left) {
      line.top = Math.min(line.top, top);
      line.right = Math.max(line.right, right);
      line.bottom = Math.max(line.bottom, bottom);
    } else boxes.push({ left, top, right, bottom });
  }
  return boxes;
}

const CLASS = 'scannedWords';

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
