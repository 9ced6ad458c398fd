/** Quotation marks in pairs. A straight one opens only behind no letter or digit: 5' 10" quotes nothing. */
const quoted =
  /“[^“”]+”|«[^«»]+»|„[^„“”]+[“”]|「[^「」]+」|『[^『』]+』|‘(?:[^‘’]|(?<=\p{L})’(?=\p{L}))+’|(?<![\p{L}\p{N}"])"[^"\n]+"(?!\p{L})|(?<![\p{L}\p{N}'])'(?:[^'\n]|(?<=\p{L})'(?=\p{L}))+'(?![\p{L}\p{N}])/gu;

/** Where quotations stand, marks included. */
export const quotationsIn = (text: string): { start: number; end: number; text: string }[] =>
  Array.from(text.matchAll(quoted), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: match[0],
  }));

/** The words between the marks, whatever the style of marks, and without the comma or full stop that some set inside. */
export const quotationKey = (text: string) =>
  text
    .slice(1, -1)
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/[.,]$/, '');
