import ranges from '@fontsource/noto-sans/unicode.json';

/** A part of the font, as it is cut by script. */
export type Subset = keyof typeof ranges;

const subsets = (Object.entries(ranges) as [Subset, string][])
  // Latin first: what several parts have is taken from it.
  .reverse()
  .map(([subset, list]) => ({
    subset,
    ranges: list.split(',').map((range) => {
      const [from = '', to = from] = range.replaceAll('U+', '').split('-');
      return [parseInt(from, 16), parseInt(to, 16)] as const;
    }),
  }));

/** Signs that the font lacks and that words of it can stand for. */
const STAND_INS: Record<string, string> = {
  '→': '->',
  '←': '<-',
  '⇒': '=>',
  '≥': '>=',
  '≤': '<=',
  '≠': '!=',
  '≈': '~',
  '✓': '+',
  '✔': '+',
  '☐': '[ ]',
  '☑': '[x]',
  '●': '•',
  '▪': '•',
};
/** Joiners and selectors, which show nothing by themselves. */
const isUnseen = (code: number) =>
  (code >= 0x200b && code <= 0x200d) ||
  (code >= 0xfe00 && code <= 0xfe0f) ||
  (code >= 0x1f3fb && code <= 0x1f3ff);

export interface FontRun {
  subset: Subset;
  text: string;
}

/** Cuts a text where the part of the font changes. What no part has is left out as `missing` and stands as a `?`. */
export function fontRuns(text: string, missing: Set<string>): FontRun[] {
  const runs: FontRun[] = [];
  const add = (subset: Subset, piece: string) => {
    const last = runs.at(-1);
    if (last?.subset === subset) last.text += piece;
    else runs.push({ subset, text: piece });
  };
  for (const character of text.normalize('NFC')) {
    if (isUnseen(character.codePointAt(0) ?? 0)) continue;
    const subset = subsetOf(character);
    if (subset !== null) add(character === ' ' ? (runs.at(-1)?.subset ?? subset) : subset, character);
    else if (STAND_INS[character] !== undefined) add('latin', STAND_INS[character]);
    else {
      missing.add(character);
      add('latin', '?');
    }
  }
  return runs;
}

function subsetOf(character: string): Subset | null {
  const code = character.codePointAt(0) ?? 0;
  return subsets.find((one) => one.ranges.some(([from, to]) => code >= from && code <= to))?.subset ?? null;
}
