import ranges from '@fontsource/noto-sans/unicode.json';

/** Name of a font file that has the characters of one script, such as `latin`. */
export type Subset = keyof typeof ranges;

const subsets = (Object.entries(ranges) as [Subset, string][])
  // Latin, the last entry, comes first, so that characters which several subsets have use it.
  .reverse()
  .map(([subset, list]) => ({
    subset,
    ranges: list.split(',').map((range) => {
      const [from = '', to = from] = range.replaceAll('U+', '').split('-');
      return [parseInt(from, 16), parseInt(to, 16)] as const;
    }),
  }));

/** Replacements for characters that all subsets lack. */
const SUBSTITUTES: Record<string, string> = {
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
/** True for joiners, variation selectors and skin tones, which are dropped. */
const isInvisible = (code: number) =>
  (code >= 0x200b && code <= 0x200d) ||
  (code >= 0xfe00 && code <= 0xfe0f) ||
  (code >= 0x1f3fb && code <= 0x1f3ff);

export interface FontRun {
  subset: Subset;
  text: string;
}

/** Splits a text by font subset. Characters that no subset has become `?` and are added to `missing`. */
export function fontRuns(text: string, missing: Set<string>): FontRun[] {
  const runs: FontRun[] = [];
  const add = (subset: Subset, piece: string) => {
    const last = runs.at(-1);
    if (last?.subset === subset) last.text += piece;
    else runs.push({ subset, text: piece });
  };
  for (const character of text.normalize('NFC')) {
    if (isInvisible(character.codePointAt(0) ?? 0)) continue;
    const subset = subsetOf(character);
    if (subset !== null) add(character === ' ' ? (runs.at(-1)?.subset ?? subset) : subset, character);
    else if (SUBSTITUTES[character] !== undefined) add('latin', SUBSTITUTES[character]);
    else {
      missing.add(character);
      add('latin', '?');
    }
  }
  return runs;
}

function subsetOf(character: string): Subset | null {
  const code = character.codePointAt(0) ?? 0;
  return (
    subsets.find((subset) => subset.ranges.some(([from, to]) => code >= from && code <= to))?.subset ?? null
  );
}
