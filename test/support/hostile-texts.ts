/** The most characters of a text that a tool takes. */
const LENGTH = 20_000;

const fill = (unit: string, length = LENGTH) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
const lines = (line: (n: number) => string, length = LENGTH) => {
  let text = '';
  for (let n = 0; text.length < length; n += 1) text += `${line(n)}\n`;
  return text.slice(0, length);
};

/** Texts on which a careless parser or pattern takes time that grows faster than their length. */
export const hostileTexts = {
  'closing brackets': fill(']'),
  'opening brackets': fill('['),
  'deep brackets': fill('[', LENGTH / 2) + fill(']', LENGTH / 2),
  'half links': fill('[a](b '),
  'addresses that end with brackets': `www.a.bc${fill(']', LENGTH - 8)}`,
  'nested footnotes': fill('[^a]: '),
  footnotes: lines((n) => `[^${n}]: a`),
  definitions: lines((n) => `[${n}]: b`),
  references: lines((n) => `[${n}]: b`, LENGTH / 2) + fill('[1]', LENGTH / 2),
  'mixed emphasis': fill('*_*_'),
  'open emphasis': fill('*a_ '),
  strikethrough: fill('~~a~'),
  backticks: fill('`'),
  'runs of backticks': Array.from({ length: 199 }, (_, n) => `${'`'.repeat(n + 1)} `).join(''),
  'block quotes': fill('>'),
  'block quotes by lines': lines((n) => `${'>'.repeat(n + 1)}a`),
  'quotes in lists': fill('> - '),
  'lists in one line': fill('1. '),
  'lists by lines': lines((n) => `${' '.repeat(n * 2)}- a`),
  'lazy lines': `> ${fill('a\n', LENGTH - 2)}`,
  'lazy lines of a list': `- ${fill('a\n', LENGTH - 2)}`,
  headings: fill('a\n=\n'),
  'a table of pipes': `|a|\n|-|\n${fill('|', LENGTH - 8)}`,
  'a wide table': `${fill('|a', LENGTH / 2)}\n${fill('|-', LENGTH / 2)}`,
  'a long table': `a|b\n-|-\n${fill('a|b\n', LENGTH - 8)}`,
  'less than': fill('<'),
  'open tags': fill('<a b="'),
  comments: fill('<!--'),
  backslashes: fill('\\'),
  'quotation marks': fill('“'),
  'low quotation marks': fill('„'),
  'straight quotation marks': fill("'a "),
  'one word': fill('abcdefghij'),
  'Chinese without spaces': fill('漢字'),
  'letters that fold to two': fill('İ'),
  'zero-width characters': fill('\u200b'),
  'combining characters': `a${fill('\u0301', LENGTH - 1)}`,
  'halves of surrogate pairs': fill('\ud800'),
  'joined emoji': fill('👩\u200d'),
  'white space': `a${' '.repeat(LENGTH - 2)}b`,
  'line ends': `a${'\n'.repeat(LENGTH - 2)}b`,
  abbreviations: fill('Dr. '),
  'a long domain': fill('a.'),
  'number words': fill('two and '),
  numbers: fill('1-1,'),
  'brackets of JSON': fill('{"a":['),
  'escapes of JSON': fill('"\\'),
  'open fences': fill('```a\n'),
  'tags of parts': fill('<part n="1">'),
};
