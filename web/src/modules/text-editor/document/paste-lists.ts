import { rename } from './flatten-table';
import type { StyleSheets } from './paste-styles';

/** Makes nested lists of the paragraphs of Word, and of the lists of Word for the web, Slack and Quill. Needs the styles. */
export function nestLists(doc: Document, sheets: StyleSheets): void {
  readWordLists(doc, sheets);
  readWordWebLists(doc);
  readFlatLists(doc);
  // Evernote.
  for (const item of doc.querySelectorAll('[data-style*="--en-todo:true"] > li')) {
    item.setAttribute('role', 'checkbox');
    item.setAttribute('aria-checked', String(item.matches('[data-style*="--en-checked:true"]')));
  }
}

/** Reads tasks and the numbers of items, and makes lists that Markdown can have. */
export function readLists(doc: Document): void {
  for (const list of doc.querySelectorAll('[data-node-type="actionList" i]')) rename(list, 'ul');
  for (const item of doc.querySelectorAll(TASKS)) readTask(item);
  for (const list of doc.querySelectorAll('ul')) nestList(list);
  for (const list of doc.querySelectorAll('ol')) splitAtNumbers(list);
}

const TASKS =
  'li[role=checkbox], [data-task-state], li[data-list$=checked], ul[data-checked] > li, ' +
  ':is(.inline-task-list, .to-do-list, .joplin-checklist, .tox-checklist) > li';
const DONE =
  '[aria-checked=true], [data-task-state=DONE], [data-list=checked], ul[data-checked=true] > li, ' +
  ':is(.inline-task-list, .joplin-checklist) > .checked, .tox-checklist--checked, :has(> .checkbox-on)';

/** Converts an item of a checklist of Google Docs, Confluence, Notion, Joplin, TinyMCE, Quill or Evernote to one with a checkbox. */
function readTask(item: Element): void {
  const isDone = item.matches(DONE);
  const box = item.ownerDocument.createElement('input');
  box.type = 'checkbox';
  box.toggleAttribute('checked', isDone);
  item.prepend(box);
  if (item.tagName !== 'LI') rename(item, 'li');
}

const LIST_STYLE = /mso-list:\s*(\w+)\s+level(\d+)/i;

const LIST_MARK = '[data-style*="mso-list:Ignore" i], [data-style*="mso-list: Ignore" i]';

/** Converts Word's list items to lists: they are paragraphs whose style names the list and the level. */
function readWordLists(doc: Document, sheets: StyleSheets): void {
  for (const mark of doc.querySelectorAll('h1, h2, h3, h4, h5, h6')) labelWithMark(mark);
  const lists = new NestedLists();
  /** The last number of each list whose numbers are not in the text. */
  const counts = new Map<string, number>();
  for (const paragraph of doc.querySelectorAll<HTMLElement>('p, ul, ol')) {
    if (paragraph.tagName !== 'P') {
      lists.addInner(paragraph);
      continue;
    }
    const place = wordListOf(paragraph, sheets);
    if (place === null) {
      lists.addParagraph(paragraph);
      continue;
    }
    const mark = paragraph.querySelector(LIST_MARK);
    const numbers = numbersOf(mark?.textContent ?? '');
    if (mark === null && place.isNumbered) {
      const key = `${place.name} ${place.level}`;
      const next = (counts.get(key) ?? 0) + 1;
      counts.set(key, next);
      numbers.push(next);
    }
    if (numbers.length > 0) mark?.remove();
    else labelWithMark(paragraph);
    const item = doc.createElement('li');
    lists.add(
      item,
      { ...place, isOrdered: numbers.length > 0, numbers, margin: marginOf(paragraph) },
      paragraph,
    );
    item.append(paragraph);
  }
}

/** The list that a paragraph of Word is in, by its style or by its class: `MsoListNumber2` is on the second level. */
function wordListOf(paragraph: HTMLElement, sheets: StyleSheets) {
  const style = paragraph.dataset['style'] ?? '';
  const [, name, level] = LIST_STYLE.exec(style) ?? [];
  if (name !== undefined)
    return { name, level: Number(level), isNumbered: sheets.isNumbered(name, Number(level)) };
  const [, kind, digit = 1] = /^MsoList(Bullet|Number)(\d)?/.exec(paragraph.className) ?? [];
  if (kind === undefined || /mso-list:\s*none/i.test(style)) return null;
  return { name: kind, level: Number(digit), isNumbered: kind === 'Number' };
}

/** Left margin of a paragraph of Word in points; undefined for text that is not indented. */
function marginOf(paragraph: HTMLElement): number | undefined {
  const [, value, unit = ''] =
    /(?:^|[;\s])margin-left:\s*(-?[\d.]+)(pt|in|cm|mm|px)/i.exec(paragraph.dataset['style'] ?? '') ?? [];
  const isOfList = paragraph.className.startsWith('MsoListParagraph');
  if (value === undefined) return isOfList ? LIST_MARGIN : undefined;
  const margin = Number(value) * (POINTS[unit.toLowerCase()] ?? 1);
  return isOfList || margin > 0 ? margin : undefined;
}

const POINTS: Record<string, number> = { in: 72, cm: 28.35, mm: 2.835, px: 0.75 };
/** Margin of Word's style for lists. */
const LIST_MARGIN = 36;

/** Keeps a mark that has words, such as "Article 1.", as text. Another one is a bullet, which is removed. */
function labelWithMark(element: Element): void {
  for (const mark of element.querySelectorAll(LIST_MARK)) {
    const text = mark.textContent.trim();
    // A single letter is a bullet: "o", or a sign in a font of symbols.
    if (/\p{N}|\p{L}.|.\p{L}/u.test(text)) mark.textContent = `${text} `;
    else mark.remove();
  }
}

/**
 * The numbers that the mark of an item can mean, the likeliest first: "i." is 1 or 9. Empty for a bullet, and for "2.1.", which
 * Markdown would number anew.
 */
function numbersOf(mark: string): number[] {
  const [, number, letters] = /^\(?(?:(\d+)[.)]*|([a-z]+)[.)]+)$/i.exec(mark.trim()) ?? [];
  if (number !== undefined) return [Number(number)];
  const word = letters?.toLowerCase() ?? '';
  const roman = romanNumber(word);
  // After z come aa, bb and so on.
  const letter = /^([a-z])\1*$/.test(word) ? word.charCodeAt(0) - 96 + 26 * (word.length - 1) : undefined;
  const isLikelyRoman = word.length > 1 || /[ivx]/.test(word);
  return (isLikelyRoman ? [roman, letter] : [letter, roman]).filter((value) => value !== undefined);
}

const ROMAN = { i: 1, v: 5, x: 10, l: 50, c: 100 };

function romanNumber(word: string): number | undefined {
  if (!/^c{0,3}(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})$/.test(word) || word === '') return undefined;
  const values = [...word].map((letter) => ROMAN[letter as keyof typeof ROMAN]);
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);
}

/** Nests the lists of Word for the web, which has a list for each level beside the others. */
function readWordWebLists(doc: Document): void {
  const lists = new NestedLists();
  for (const item of doc.querySelectorAll<HTMLElement>('li[data-aria-level]')) {
    const list = item.parentElement;
    if (list === null) continue;
    const { listid: name = '', ariaLevel, ariaPosinset } = item.dataset;
    const isOrdered = list.tagName === 'OL';
    const numbers = isOrdered ? [Number(ariaPosinset)] : [];
    const place = list.closest('.ListContainerWrapper') ?? list;
    lists.add(item, { name, level: Number(ariaLevel), isOrdered, numbers }, place);
    if (place.querySelector('li') === null) place.remove();
  }
}

/** Nests the lists of Slack and Quill, in which attributes tell kind and level of an item. */
function readFlatLists(doc: Document): void {
  const lists = new NestedLists();
  for (const item of doc.querySelectorAll<HTMLElement>(FLAT_ITEMS)) {
    const list = item.parentElement;
    if (list === null) continue;
    const { list: kind, stringifyIndent } = item.dataset;
    const isOrdered = kind === undefined ? list.tagName === 'OL' : kind === 'ordered';
    const numbers = isOrdered && list.hasAttribute('start') ? [Number(list.getAttribute('start'))] : [];
    list.removeAttribute('start');
    const level = Number(stringifyIndent ?? /\bql-indent-(\d)/.exec(item.className)?.[1] ?? 0) + 1;
    lists.add(item, { name: '', level, isOrdered, numbers }, list);
    if (list.querySelector('li') === null) list.remove();
  }
}

const FLAT_ITEMS = 'li[data-stringify-indent], li[data-list], :has(> li[class*="ql-indent-"]) > li';

interface ListItem {
  /** The items of one list have the same name. */
  name: string;
  /** 1 is the outermost level. */
  level: number;
  isOrdered: boolean;
  /** The numbers that the item can have, the likeliest first; empty if it has the next one. */
  numbers: readonly number[];
  /** In points. */
  margin?: number | undefined;
}

interface OpenList {
  element: HTMLElement;
  name: string;
  level: number;
  /** Number of the next item. */
  next: number;
  /** Left margin of the last item. */
  margin?: number | undefined;
}

/** Makes nested lists of items that follow each other. */
class NestedLists {
  /** The nested lists that contain the last item, outermost first. */
  private open: OpenList[] = [];

  /** @param place where the item stands; a new list is inserted before */
  add(item: HTMLElement, { name, level, isOrdered, numbers, margin }: ListItem, place: Element): void {
    if (!this.isNext(place)) this.open = [];
    this.open = this.open.filter((list) => list.level <= level);
    const tag = isOrdered ? 'ol' : 'ul';
    const last = this.open.at(-1);
    let list = last?.level === level ? this.open.pop() : undefined;
    const continues =
      list?.name === name &&
      list.element.localName === tag &&
      (numbers.length === 0 || numbers.includes(list.next));
    if (list === undefined || !continues) {
      const around = this.open.at(-1)?.element;
      const [start = 1] = numbers;
      list = { element: place.ownerDocument.createElement(tag), name, level, next: start };
      // A list that goes on after a remark starts at its own number.
      if (start > 1) list.element.setAttribute('start', String(start));
      if (around === undefined) place.before(list.element);
      else (around.lastElementChild ?? around).append(list.element);
    }
    list.element.append(item);
    list.next += 1;
    list.margin = margin;
    this.open.push(list);
  }

  /** Adds a paragraph without bullet to the item before that has the same margin. */
  addParagraph(paragraph: HTMLElement): void {
    const margin = marginOf(paragraph);
    if (margin === undefined || !this.isNext(paragraph)) return;
    const index = this.open.findLastIndex((list) => Math.abs((list.margin ?? NaN) - margin) < 1);
    this.open[index]?.element.lastElementChild?.append(paragraph);
    if (index >= 0) this.open.length = index + 1;
  }

  /** Adds a list that has only lists to the last item: Word writes some items as paragraphs and those below as lists. */
  addInner(list: HTMLElement): void {
    const lists = [...list.children];
    if (lists.length === 0 || !lists.every((inner) => inner.matches('ul, ol')) || !this.isNext(list)) return;
    this.open.length = 1;
    this.open[0]?.element.lastElementChild?.append(...lists);
    list.remove();
  }

  private isNext(element: Element): boolean {
    return this.open[0] !== undefined && element.previousElementSibling === this.open[0].element;
  }
}

/** Moves the list of an item without text to the item before, and replaces a list that has only a list. */
function nestList(list: HTMLUListElement): void {
  for (const item of list.querySelectorAll(':scope > li')) {
    const [inner, another] = item.children;
    if (!inner?.matches('ul, ol') || another || item.textContent !== inner.textContent) continue;
    const before = item.previousElementSibling;
    if (before?.tagName !== 'LI') continue;
    before.append(inner);
    item.remove();
  }
  const [inner, another] = list.children;
  if (inner?.tagName === 'UL' && !another) list.replaceWith(inner);
}

/** Starts a new list where an item has another number than the one after the item before. */
function splitAtNumbers(list: HTMLOListElement): void {
  if (list.reversed) countDown(list);
  let part = list;
  let next = list.start;
  for (const [index, child] of [...list.children].entries()) {
    const isItem = child instanceof HTMLLIElement;
    if (isItem && child.hasAttribute('value') && child.value !== next && child.value >= 0) {
      next = child.value;
      if (index > 0) {
        const rest = list.ownerDocument.createElement('ol');
        part.after(rest);
        part = rest;
      }
      part.start = next;
    }
    if (part !== list) part.append(child);
    if (isItem) next += 1;
  }
}

/** Gives the items of a reversed list, such as that of a chart, their numbers. */
function countDown(list: HTMLOListElement): void {
  const items = [...list.children].filter((child) => child instanceof HTMLLIElement);
  let next = list.hasAttribute('start') ? list.start : items.length;
  for (const item of items) {
    if (item.hasAttribute('value')) next = item.value;
    else item.value = next;
    next -= 1;
  }
}
