import type { PageItem, PageItems } from './page-items.js';

/** A change of the baseline by more than this share of the font's height begins a line. */
const SAME_LINE = 0.5;
/** A gap wider than this share of the font's height is a space. */
const SPACE = 0.1;

/** Writes the text of a page: one line for each line of the page. */
export function toPageText({ items }: PageItems): string {
  let text = '';
  let before: PageItem | undefined;
  for (const item of items) {
    if (before) text += separator(before, item);
    text += contentOf(item);
    before = item;
  }
  return text;
}

const contentOf = ({ text, source, label }: PageItem) =>
  source === 'field' && label !== undefined ? `${label}: ${text}` : text;

function separator(before: PageItem, item: PageItem): string {
  const radians = (before.angle * Math.PI) / 180;
  const [dx, dy] = [item.x - before.x, item.y - before.y];
  const along = dx * Math.cos(radians) + dy * Math.sin(radians);
  const across = dy * Math.cos(radians) - dx * Math.sin(radians);
  const height = Math.max(before.height, item.height);
  const isOther = before.angle !== item.angle || item.source === 'comment' || before.source === 'comment';
  if (isOther || Math.abs(across) > SAME_LINE * height) return '\n';
  if (before.text.endsWith(' ')) return '';
  const gap = before.isRightToLeft ? -along - item.width : along - before.width;
  return Math.abs(gap) > SPACE * height ? ' ' : '';
}
