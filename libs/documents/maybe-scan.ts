import type { PageItem, PageItems } from './layout/page-items.js';

/** A page with fewer letters and digits may be a scan, wherever they are. */
export const SPARSE_CHARACTERS = 200;
/** Text of a usual page covers more of it than this share. */
const MAX_TEXT_SHARE = 0.15;
/** Shares of height and width at the edges of the page, where programs print headers, footers and stamps onto a scan. */
const MARGIN_HEIGHT = 0.15;
const MARGIN_WIDTH = 0.08;
/** Letters and digits between the margins that a stamp may have. */
const MAX_STAMP_CHARACTERS = 150;

/**
 * True if the text of a page could be what a program added to a picture of the page: little of it, or in its margins only.
 * Values of form fields and comments may be on any picture.
 */
export function mayBeScan({ items, width, height }: PageItems): boolean {
  let characters = 0;
  let inside = 0;
  let area = 0;
  for (const item of items) {
    if (item.source === 'field' || item.source === 'comment') continue;
    const count = countCharacters(item.text);
    characters += count;
    area += item.width * item.height;
    if (!isInMargin(item, width, height)) inside += count;
  }
  if (characters < SPARSE_CHARACTERS) return true;
  return area < MAX_TEXT_SHARE * width * height && inside <= MAX_STAMP_CHARACTERS;
}

function isInMargin({ x, y, width: length, angle }: PageItem, width: number, height: number): boolean {
  const radians = (angle * Math.PI) / 180;
  const middleX = x + (length / 2) * Math.cos(radians);
  const middleY = y + (length / 2) * Math.sin(radians);
  const isBeside = middleX < MARGIN_WIDTH * width || middleX > (1 - MARGIN_WIDTH) * width;
  return isBeside || middleY < MARGIN_HEIGHT * height || middleY > (1 - MARGIN_HEIGHT) * height;
}

/** The items of the upper and the lower half of a page. */
export function splitAtMiddle({ items, ...size }: PageItems): { above: PageItems; below: PageItems } {
  const isAbove = ({ y }: PageItem) => y < size.height / 2;
  return {
    above: { ...size, items: items.filter(isAbove) },
    below: { ...size, items: items.filter((item) => !isAbove(item)) },
  };
}

export const countCharacters = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
