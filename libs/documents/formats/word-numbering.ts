import { childOf, elementsOf, isOn, valueOf, type XmlElement } from './xml-tree.js';

interface Level {
  format: string;
  /** Such as `%1.%2.`. */
  text: string;
  start: number;
  /** True if the numbers of upper levels are written in digits. */
  isLegal: boolean;
}

interface List {
  /** The key of the counters that the list shares with others of the same definition. */
  key: string;
  levels: Map<number, Level>;
}

const LEVELS = 9;

/** Counts the numbered paragraphs of a Word document, whose numbers are not in its text. */
export class WordNumbering {
  private readonly lists = new Map<string, List>();
  private readonly counters = new Map<string, number[]>();

  constructor(root: XmlElement | null) {
    const children = root ? elementsOf(root) : [];
    const definitions = new Map(
      children
        .filter(({ name }) => name === 'w:abstractNum')
        .map((definition) => [definition.attributes.abstractNumId, definition]),
    );
    for (const list of children) {
      const { numId } = list.attributes;
      const definitionId = valueOf(list, 'w:abstractNumId');
      const definition = definitions.get(definitionId);
      if (list.name !== 'w:num' || numId === undefined || !definition) continue;
      this.lists.set(numId, readList(numId, list, definition));
    }
  }

  /** Counts a paragraph and returns its bullet or number; null if it has none. @param properties `w:numPr` */
  next(properties: XmlElement | undefined): string | null {
    const list = this.lists.get(valueOf(properties, 'w:numId') ?? '');
    const depth = Math.min(Number(valueOf(properties, 'w:ilvl') ?? 0) || 0, LEVELS - 1);
    const level = list?.levels.get(depth);
    if (!list || !level) return null;
    const counters = this.counters.get(list.key) ?? [];
    this.counters.set(list.key, counters);
    for (let upper = 0; upper < depth; upper += 1) counters[upper] ??= list.levels.get(upper)?.start ?? 1;
    counters[depth] = counters[depth] === undefined ? level.start : counters[depth] + 1;
    counters.length = depth + 1;
    if (level.format === 'bullet') return '•';
    if (level.format === 'none') return null;
    return level.text.replace(/%([1-9])/g, (_, number: string) => {
      const index = Number(number) - 1;
      const format = level.isLegal ? 'decimal' : (list.levels.get(index)?.format ?? 'decimal');
      return formatNumber(counters[index] ?? 1, format);
    });
  }
}

function readList(numId: string, list: XmlElement, definition: XmlElement): List {
  const levels = new Map<number, Level>();
  const read = (level: XmlElement) => levels.set(Number(level.attributes.ilvl ?? 0), readLevel(level));
  for (const level of elementsOf(definition)) if (level.name === 'w:lvl') read(level);
  let key = definition.attributes.abstractNumId ?? '';
  for (const override of elementsOf(list)) {
    if (override.name !== 'w:lvlOverride') continue;
    const level = childOf(override, 'w:lvl');
    if (level) read(level);
    const start = valueOf(override, 'w:startOverride');
    const own = levels.get(Number(override.attributes.ilvl ?? 0));
    if (start === undefined || !own) continue;
    own.start = Number(start) || 0;
    key = `own ${numId}`;
  }
  return { key, levels };
}

const readLevel = (level: XmlElement): Level => ({
  format: valueOf(level, 'w:numFmt') ?? 'decimal',
  text: valueOf(level, 'w:lvlText') ?? '',
  start: Number(valueOf(level, 'w:start') ?? 0) || 0,
  isLegal: isOn(childOf(level, 'w:isLgl')),
});

function formatNumber(number: number, format: string): string {
  switch (format) {
    case 'lowerLetter':
      return letters(number).toLowerCase();
    case 'upperLetter':
      return letters(number);
    case 'lowerRoman':
      return roman(number).toLowerCase();
    case 'upperRoman':
      return roman(number);
    case 'decimalZero':
      return String(number).padStart(2, '0');
    default:
      return String(number);
  }
}

/** A to Z, then AA to ZZ, as Word counts. */
const letters = (number: number) =>
  number < 1
    ? ''
    : String.fromCharCode(65 + ((number - 1) % 26)).repeat(Math.min(Math.ceil(number / 26), 20));

const ROMAN: [number, string][] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];

function roman(number: number): string {
  if (number < 1 || number > 3_999) return String(number);
  let rest = number;
  let written = '';
  for (const [value, sign] of ROMAN) {
    while (rest >= value) {
      written += sign;
      rest -= value;
    }
  }
  return written;
}
