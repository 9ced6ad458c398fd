import type { PageItem } from '../layout/page-items.js';
import type { Box } from './annotation.js';

/** Where a label is, in points: at most so far beside its field, or above it. */
const BESIDE = 250;
const ABOVE = 18;
const CAPTION = 20;
/** Text that ends or begins so many heights of its font from a field is in one sentence with it. */
const SENTENCE_GAP = 0.8;
/** A gap of this many heights of the font separates two texts of a line. */
const TEXT_GAP = 1.2;
const TOLERANCE = 4;
/** Points of one row of the index. */
const ROW = 12;

/** A piece of a line without wide gaps. */
export interface Label {
  text: string;
  items: PageItem[];
}

/** The text around the fields of a page. Finds the label of a field by its place. */
export class FieldLabels {
  private readonly rows = new Map<number, PageItem[]>();
  private readonly boxes = new Map<number, Box[]>();

  constructor(items: readonly PageItem[], boxes: readonly Box[]) {
    for (const item of items) {
      if (item.angle === 0 && item.text.trim() !== '') add(this.rows, Math.floor(item.y / ROW), item);
    }
    for (const box of boxes) add(this.boxes, Math.floor(middle(box) / ROW), box);
  }

  /** The text to the left, in the same line. */
  leftOf(box: Box): Label | null {
    const line = this.lineOf(box).filter((item) => endOf(item) <= box.left + TOLERANCE);
    const nearest = maxBy(line, endOf);
    if (!nearest || box.left - endOf(nearest) > BESIDE) return null;
    const between = this.boxesIn(box).some(
      (other) => other !== box && other.right <= box.left + TOLERANCE && other.right > endOf(nearest),
    );
    if (between) return null;
    const items = [nearest];
    for (const item of sameLine(line, nearest).sort((one, other) => other.x - one.x)) {
      const first = items[0]!;
      if (item.x < first.x && first.x - endOf(item) < TEXT_GAP * item.height) items.unshift(item);
    }
    return toLabel(items);
  }

  /** The caption to the right of a box to tick. */
  rightOf(box: Box): Label | null {
    const line = this.lineOf(box).filter((item) => item.x >= box.right - TOLERANCE);
    const nearest = maxBy(line, ({ x }) => -x);
    if (!nearest || nearest.x - box.right > CAPTION) return null;
    const next = Math.min(
      ...this.boxesIn(box).map((other) => (other.left > box.left + TOLERANCE ? other.left : Infinity)),
    );
    if (nearest.x > next) return null;
    const items = [nearest];
    for (const item of sameLine(line, nearest).sort((one, other) => one.x - other.x)) {
      const last = items.at(-1)!;
      if (item.x > last.x && item.x < next && item.x - endOf(last) < TEXT_GAP * item.height) items.push(item);
    }
    return toLabel(items);
  }

  /** The text above the field, or at the top within it, that is not wider than the field. */
  above(box: Box): Label | null {
    const lowest = box.top + Math.min(0.45 * (box.bottom - box.top), 12);
    const found = this.itemsIn(box.top - ABOVE, lowest).filter(
      (item) => item.x >= box.left - 8 && item.x < box.right && endOf(item) <= box.right + 30,
    );
    const nearest = maxBy(found, ({ y }) => y);
    return nearest ? toLabel(sameLine(found, nearest).sort((one, other) => one.x - other.x)) : null;
  }

  /** The text just before a field that is a gap within a sentence; null for other fields. */
  sentenceBefore(box: Box): PageItem | null {
    const line = this.lineOf(box);
    const before = line.find((item) => isNear(box.left - endOf(item), item) && !/[:：]\s*$/u.test(item.text));
    return before && line.some((item) => isNear(item.x - box.right, item)) ? before : null;
  }

  private lineOf(box: Box): PageItem[] {
    // The label of a field of several lines is beside its first line.
    const bottom = Math.min(box.bottom, box.top + 30);
    return this.itemsIn(box.top, bottom + TOLERANCE);
  }

  private itemsIn(top: number, bottom: number): PageItem[] {
    return near(this.rows, top, bottom).filter(({ y }) => y >= top && y <= bottom);
  }

  private boxesIn({ top, bottom }: Box): Box[] {
    return near(this.boxes, top, bottom).filter((box) => middle(box) >= top && middle(box) <= bottom);
  }
}

const isNear = (gap: number, { height }: PageItem) => gap > -TOLERANCE && gap < SENTENCE_GAP * height;

const endOf = ({ x, width }: PageItem) => x + width;
const middle = ({ top, bottom }: Box) => (top + bottom) / 2;
const sameLine = (items: readonly PageItem[], { y, height }: PageItem) =>
  items.filter((item) => Math.abs(item.y - y) < height / 2);

function add<Value>(rows: Map<number, Value[]>, row: number, value: Value): void {
  const found = rows.get(row);
  if (found) found.push(value);
  else rows.set(row, [value]);
}

function near<Value>(rows: ReadonlyMap<number, Value[]>, top: number, bottom: number): Value[] {
  const found: Value[] = [];
  const last = Math.min(Math.floor(bottom / ROW), Math.floor(top / ROW) + 20);
  for (let row = Math.floor(top / ROW); row <= last; row += 1) found.push(...(rows.get(row) ?? []));
  return found;
}

function maxBy<Value>(values: readonly Value[], weigh: (value: Value) => number): Value | undefined {
  let best: Value | undefined;
  for (const value of values) if (best === undefined || weigh(value) > weigh(best)) best = value;
  return best;
}

function toLabel(items: PageItem[]): Label | null {
  const text = cleanLabel(items.map((item) => item.text.trim()).join(' '));
  return text === '' ? null : { text, items };
}

const MAX_LABEL_CHARACTERS = 160;

/** Without the colon, dots or line that lead to the field. Blank if nothing to read is left. */
export function cleanLabel(text: string): string {
  const clean = text
    .slice(0, 2 * MAX_LABEL_CHARACTERS)
    .replace(/\s+/gu, ' ')
    .replace(/[\s:：_*…]+$/u, '')
    .replace(/\.{2,}$/u, '')
    .trim()
    .slice(0, MAX_LABEL_CHARACTERS);
  return /[\p{L}\p{N}]/u.test(clean) ? clean : '';
}
