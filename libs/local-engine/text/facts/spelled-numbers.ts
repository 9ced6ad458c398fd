const small =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
  seventeen eighteen nineteen`.split(/\s+/);
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ordinals =
  `zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
  fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth`.split(/\s+/);
const ordinalTens = 'twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth'.split(
  ' ',
);
const scales = new Map([
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
  ['trillion', 1e12],
]);

const values = new Map<string, number>([
  ...small.map((word, value) => [word, value] as const),
  ...tens.map((word, index) => [word, (index + 2) * 10] as const),
]);
const ordinalValues = new Map<string, number>([
  ...ordinals.map((word, value) => [word, value] as const),
  ...ordinalTens.map((word, index) => [word, (index + 2) * 10] as const),
]);

/** Words that only sometimes mean a number; they are uncertain facts. */
const weakWords = new Map<string, number>([
  ['both', 2],
  ['pair', 2],
  ['couple', 2],
  ['twice', 2],
  ['double', 2],
  ['once', 1],
  ['half', 0.5],
  ['single', 1],
]);

const words = [
  ...values.keys(),
  ...ordinalValues.keys(),
  ...weakWords.keys(),
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
    const loose = weakWords.get(word);
    if (loose !== undefined) {
      close();
      found.push({ value: loose, ordinal: false, weak: true, start, end });
      continue;
    }
    const value = values.get(word) ?? ordinalValues.get(word);
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
    if (ordinalValues.has(word) || /(?:hundred|thousand)th$/.test(word)) close(true);
  }
  close();
  return found;
}
