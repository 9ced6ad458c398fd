import { describe, expect, it } from '@jest/globals';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mathFromMarkdown } from './markdown-math.js';
import { markdownSyntax } from './markdown-syntax.js';

const parse = (markdown: string) =>
  fromMarkdown(markdown, {
    extensions: markdownSyntax(),
    mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown()],
  });

/** The formulas of a text, with the kind before each. */
function formulasOf(markdown: string): string[] {
  const read = (node: Nodes): string[] => {
    if (node.type === 'math') return [`block ${node.value}`];
    if (node.type === 'inlineMath') return [`${node.display ? 'display' : 'inline'} ${node.value}`];
    return 'children' in node ? node.children.flatMap(read) : [];
  };
  return read(parse(markdown));
}

describe('the syntax of formulas', () => {
  it.each([
    ['The area is $\\pi r^2$.', ['inline \\pi r^2']],
    ['$x$, $y$ and **$z$**', ['inline x', 'inline y', 'inline z']],
    ['公式$x$は', ['inline x']],
    ['the $n$th term of $4ac$', ['inline n', 'inline 4ac']],
    ['$a_1 * b_2 * c$', ['inline a_1 * b_2 * c']],
    ['$\\text{costs \\$5}$', ['inline \\text{costs \\$5}']],
    ['H$_2$O, 10$^6$ cells, CO$_2$ and m$^2$.', ['inline _2', 'inline ^6', 'inline _2', 'inline ^2']],
    ['30$^\\circ$C, 5$\\mu$m and $^{14}$C', ['inline ^\\circ', 'inline \\mu', 'inline ^{14}']],
    [
      '$[0, 1)$, $f(x)$ and $\\left] 0, 1 \\right)$',
      ['inline [0, 1)', 'inline f(x)', 'inline \\left] 0, 1 \\right)'],
    ],
    ['over $a\n= b$ lines', ['inline a\n= b']],
    ['\\(a\\) and \\( \\frac{1}{2} \\)', ['inline a', 'inline \\frac{1}{2}']],
    ['\\(f(x) = \\left(1\\right)\\)', ['inline f(x) = \\left(1\\right)']],
    ['so $$E = mc^2$$ holds', ['display E = mc^2']],
    ['so \\[E = mc^2\\] holds', ['display E = mc^2']],
    ['$$E = mc^2$$', ['block E = mc^2']],
    ['\\[ E = mc^2 \\]', ['block E = mc^2']],
    ['\\[ a + b \\]', ['block a + b']],
    ['$$\na\n- b\n# c\n$$', ['block a\n- b\n# c']],
    [
      'Text:\n\\[\n\\begin{aligned} a \\\\[2pt] b \\end{aligned}\n\\]\nMore.',
      ['block \\begin{aligned} a \\\\[2pt] b \\end{aligned}'],
    ],
    ['$$a\n= b$$\n\nNext.', ['block a\n= b']],
    ['> $$\n> a\n> $$', ['block a']],
    ['- item\n\n  $$\n  a\n  $$\n- next', ['block a']],
    ['1. so:\n   \\[\n   a\n   \\]\n2. next', ['block a']],
    ['| a |\n| - |\n| $x$ |', ['inline x']],
    ['\\[ \\text{if $x$} \\]', ['block \\text{if $x$}']],
  ])('has those of %j', (markdown, formulas) => {
    expect(formulasOf(markdown)).toEqual(formulas);
  });

  it.each([
    '$5 and $10',
    'from $5-$10, or ($5) to ($6)',
    '$5/$10 and $5k–$10k',
    '5$ and 10$',
    'US$ 5 and US$ 6',
    'Forfait (5\u00a0$) ou (6\u00a0$)',
    '5\u202f$/mois, 6\u202f$/an',
    '5\u00a0$ ou $\u00a06',
    '($a) and ($b)',
    'f($x) + g($y)',
    'a$$x$$',
    '$5, or CA$ 6',
    '**$5**–$10',
    '| $5 | $10 |\n| - | - |\n| $1 | $2 |',
    '$ 5 and 6 $',
    '$HOME and $PATH',
    '$HOME:$PATH',
    '\\$x$ and $x\\$',
    '`$x$` and `\\(x\\)`',
    '    $$x$$',
    '```\n$$x$$\n```',
    '$$ to $$$',
    '$$$x$$$',
    '$',
    '$$',
    '\\(\\)',
    '\\\\(x\\\\)',
    '\\(never closed',
    '\\[link\\](https://example.com)',
    'a \\[note',
    'Dear \\[Your Name\\],',
    '\\[Your Name\\]',
    'word\\[^1\\]',
    '\\[x\\] done, \\[1\\], \\[2020 - 2021\\]',
    '\\[first\\_name\\]',
    '\\(555\\) 123 and file\\(s\\) and \\(see below\\)',
    '$$\na\n\nb\n$$',
    '$never\n\nclosed$',
  ])('has none in %j', (markdown) => {
    expect(formulasOf(markdown)).toEqual([]);
  });

  it.each([
    ['$$\nopen\n\n# Heading', ['paragraph', 'heading']],
    ['\\[\nopen\n\n- item', ['paragraph', 'list']],
    ['> $$\n> open\n\nAfter', ['blockquote', 'paragraph']],
    ['> $$\n> open\nlazy\n$$', ['blockquote']],
    ['a\n$$\nb\n$$\nc', ['paragraph', 'math', 'paragraph']],
  ])('leaves the blocks after %j', (markdown, types) => {
    expect(parse(markdown).children.map(({ type }) => type)).toEqual(types);
  });

  it.each([
    '$a',
    '$$a',
    '\\(',
    '\\[',
    '$',
    '$$',
    '\\[\n',
    '$$\n',
    '$$ a\n',
    '$x$ ',
    '\\($',
    '$\\(',
    '- $$\n',
    '> \\[\n',
  ])('reads many of %j in linear time', (piece) => {
    const cpu = (length: number) => {
      const markdown = piece.repeat(length / piece.length);
      const before = process.threadCpuUsage();
      formulasOf(markdown);
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1_000;
    };
    cpu(2_000);
    expect(cpu(40_000)).toBeLessThan(3_000);
  });
});
