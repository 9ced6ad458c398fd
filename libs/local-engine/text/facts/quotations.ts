/** Pairs of quotation marks. A straight mark opens only if no letter or digit precedes it: 5' 10". */
const quoted =
  /“[^“”]+”|«[^«»]+»|„[^„“”]+[“”]|「[^「」]+」|『[^『』]+』|‘(?:[^‘’]|(?<=\p{L})’(?=\p{L}))+’|(?<![\p{L}\p{N}"])"[^"\n]+"(?!\p{L})|(?<![\p{L}\p{N}'])'(?:[^'\n]|(?<=\p{L})'(?=\p{L}))+'(?![\p{L}\p{N}])/gu;

/** The ranges of quotations, with their marks. */
export const quotationsIn = (text: string): { start: number; end: number; text: string }[] =>
  Array.from(text.matchAll(quoted), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: match[0],
  }));

/** The quoted words, without marks and without a trailing comma or full stop. */
export const quotationKey = (text: string) =>
  text
    .slice(1, -1)
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[.,]$/, '');
