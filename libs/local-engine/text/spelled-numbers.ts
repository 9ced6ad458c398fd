import data from './spelled-numbers.json' with { type: 'json' };

/** Numbers in English words: zero to nineteen, then the tens. */
export const cardinals: ReadonlyMap<string, number> = new Map(Object.entries(data.cardinals));
/** "zeroth" to "nineteenth", then the tens. */
export const ordinals: ReadonlyMap<string, number> = new Map(Object.entries(data.ordinals));
/** The alternatives of a regular expression for a number from "one" in a word. */
export const cardinalWords = [...cardinals.keys()].slice(1).join('|');

/** The value of digits or of one word; 0 for others. */
export const readNumber = (text: string): number => Number(text) || (cardinals.get(text.toLowerCase()) ?? 0);

const scales = new Map(Object.entries(data.scales));
/** Words that only sometimes mean a number; they are uncertain facts. */
const uncertain = new Map(Object.entries(data.uncertain));

const words = [
  ...cardinals.keys(),
  ...ordinals.keys(),
  ...uncertain.keys(),
  ...scales.keys(),
  'hundred',
  'dozen',
  'hundredth',
  'thousandth',
]
  .sort((a, b) => b.length - a.length)
  .join('|');

/** A run of number words: "two hundred and forty", "twenty-first". */
export const spelledRun = `(?:${words})(?:(?:\\s+|-|\\s+and\\s+)(?:${words}))*`;

export interface SpelledNumber {
  value: number;
  ordinal: boolean;
  weak: boolean;
  /** Offsets within the run. */
  start: number;
  end: number;
}

/** The numbers of a run of number words: "five ten" are two. */
export function readSpelled(run: string): SpelledNumber[] {
  const found: SpelledNumber[] = [];
  let open: { total: number; part: number; start: number; end: number; words: number; last: number } | null =
    null;
  const close = (ordinal = false) => {
    if (!open) return;
    const value = open.total + open.part;
    const weak = open.words === 1 && (value === 1 || (ordinal && value <= 3));
    found.push({ value, ordinal, weak, start: open.start, end: open.end });
    open = null;
  };
  for (const match of run.toLowerCase().matchAll(/[a-z]+/g)) {
    const word = match[0];
    const start = match.index;
    const end = start + word.length;
    if (word === 'and') continue;
    const maybe = uncertain.get(word);
    if (maybe !== undefined) {
      close();
      found.push({ value: maybe, ordinal: false, weak: true, start, end });
      continue;
    }
    const value = cardinals.get(word) ?? ordinals.get(word);
    // "twenty one" is one number, "one twenty" and "five ten" are two.
    const joins =
      value !== undefined &&
      open !== null &&
      (open.last >= 100 || (open.last >= 20 && open.last < 100 && value < 10 && value > 0));
    if (value !== undefined && !joins) close();
    open ??= { total: 0, part: 0, start, end, words: 0, last: 0 };
    open.end = end;
    open.words += 1;
    if (value !== undefined) {
      open.part += value;
      open.last = value;
    } else if (word === 'hundred' || word === 'hundredth') {
      open.part = (open.part || 1) * 100;
      open.last = 100;
    } else if (word === 'dozen') {
      open.part = (open.part || 1) * 12;
      open.last = 12;
    } else {
      const scale = scales.get(word) ?? 1000;
      open.total += (open.part || 1) * scale;
      open.part = 0;
      open.last = scale;
    }
    if (ordinals.has(word) || /(?:hundred|thousand)th$/.test(word)) close(true);
  }
  close();
  return found;
}
