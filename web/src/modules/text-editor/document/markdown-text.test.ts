import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { tests as examples } from 'commonmark-spec';
import type { Node } from 'prosemirror-model';
import { EditorState, type Transaction } from 'prosemirror-state';
import { MarkdownText } from './markdown-text';
import { schema } from './schema';
import { writeBlock } from './write-markdown';

const documents = readFileSync(new URL('./documents.txt', import.meta.url), 'utf8')
  .split('=== next document ===\n')
  .filter((text) => text !== '');

const read = (markdown: string) => new MarkdownText().read(markdown);
/** Writes a copy of the document. The copy has no origins, so every block is written from its nodes. */
const writeChanged = (doc: Node) => new MarkdownText().write(schema.nodeFromJSON(doc.toJSON()));

describe('a Markdown text', () => {
  it.each(documents.map((text) => [text.split('\n', 1).join(), text] as const))(
    '%s keeps its bytes',
    (_, text) => {
      const markdown = new MarkdownText();
      const doc = markdown.read(text);
      doc.check();
      expect(markdown.write(doc)).toBe(text);
      expect(read(writeChanged(doc)).toString()).toBe(doc.toString());
    },
  );

  it.each([
    'これは**「重要」**です。',
    '**请注意。**如果下雨',
    '이것은 **"강조"**입니다',
    'これは**強調**です',
    'a **b** c',
  ])('writes %s without character references after a change', (text) => {
    const doc = read(text);
    expect(doc.toString()).toContain('strong(');
    expect(writeChanged(doc)).toBe(text);
  });

  it.each([
    'これは~~「重要」~~です。',
    '𠮷~~「重要」~~𠮷',
    '请~~注意。~~如果',
    'Note<strong>:</strong>text',
    'a<strong>😀</strong>b',
    'H<strong><sub>2</sub>O</strong>',
    'ภาษา<em>“ไทย”</em>ไทย',
    'نص<del>«مهم»</del>نص',
    '| a<strong>:</strong>b |\n| - |\n| c |',
    '<strong>(a)</strong>b and **c**: ~~d~~',
  ])('writes no letter as a character reference: %s', (text) => {
    const doc = read(text);
    expect(doc.toString()).toMatch(/strong\(|em\(|strike\(/);
    expect(doc.toString()).not.toContain('raw(');
    expect(writeChanged(doc)).toBe(text);
  });

  it('gives back the marks of 500 random paragraphs, without references in words', () => {
    const random = randomNumbers(7);
    const { strong, em, strike, subscript } = schema.marks;
    const characters = [...'aéZ2「」。重う:“”()! ', '😀', 'ก', 'ن', '«', '𠮷', '한'];
    for (let run = 0; run < 500; run += 1) {
      const texts = Array.from({ length: 2 + random(4) }, () => {
        const words = Array.from({ length: 1 + random(3) }, () => characters[random(characters.length)]).join(
          '',
        );
        const marks = [strong, em, strike, subscript].filter(() => random(4) === 0);
        return schema.text(
          words,
          marks.map((mark) => mark.create()),
        );
      });
      const paragraph = schema.nodes.paragraph.create(null, texts);
      const markdown = writeBlock(paragraph);
      expect({ markdown, read: markedCharacters(read(markdown)) }).toEqual({
        markdown,
        read: markedCharacters(paragraph),
      });
      expect(markdown.replaceAll('&#x20;', '')).not.toContain('&#');
    }
  });

  it('writes references that are text or code as they are', () => {
    for (const text of ['`&#x41;` and `&#xFFFFFFF;`', '```\n&#x41;\n```', '\\&#x41; **b**'])
      expect(writeChanged(read(text))).toBe(text);
  });

  it.each([
    '10<sup>6</sup> m<sub>*n*</sub> and <u>under **bold <mark>lit</mark>**</u>',
    '| a<sup>2</sup> |\n| - |\n| <u>b</u><br>c |',
  ])('reads and writes tags for marks: %s', (text) => {
    const doc = read(text);
    expect(doc.toString()).toContain('superscript(');
    expect(doc.toString()).not.toContain('raw(');
    expect(writeChanged(doc)).toBe(text);
  });

  it.each([
    ['10<sup>10<sup>100</sup></sup>', '10<sup>10^100</sup>'],
    ['x<sub>i<sup>n+*m*</sup></sub>', 'x<sub>i^(n+*m*)</sub>'],
  ])('writes a script within a script with a sign: %s', (text, markdown) => {
    expect(writeChanged(read(text))).toBe(markdown);
  });

  it.each([
    'Price $5, and $10.',
    'A $x^2$ and \\(y\\), $$z_1$$.',
    '$$\n\\frac{1}{2}\n$$',
    '- so:\n\n  $$\n  a = b\n  $$',
    '> $$\n> a\n> $$',
    '| $a_1$ |\n| - |\n| \\(b\\) |',
    '## $x$ and **$y$**',
    'Not \\$x\\$ a formula.',
    'Not \\\\(x\\\\) either.',
  ])('reads formulas and writes them after a change: %j', (text) => {
    const doc = read(text);
    expect(writeChanged(doc)).toBe(text);
    expect(doc.toString().includes('math')).toBe(!/^(Price|Not)/.test(text));
  });

  it('keeps a formula beside a word, and words that look like one', () => {
    const { paragraph, math } = schema.nodes;
    const formula = math.create({ source: '$x$', tex: 'x' });
    const doc = (...content: Node[]) => schema.nodes.doc.create(null, paragraph.create(null, content));
    expect(writeChanged(doc(schema.text('a'), formula))).toBe('a\\({x}\\)');
    expect(writeChanged(doc(schema.text('$y$ and '), formula))).toBe('\\$y\\$ and $x$');
    expect(writeChanged(doc(formula, schema.text('$5')))).toBe('$x$\\$5');
  });

  it('keeps the bytes of each CommonMark example, and its meaning when rewritten', () => {
    const changed: string[] = [];
    for (const { markdown } of examples) {
      const text = new MarkdownText();
      const doc = text.read(markdown);
      if (text.write(doc) !== markdown) changed.push(`bytes ${markdown} ${text.write(doc)}`);
      if (wordsOf(read(writeChanged(doc))) !== wordsOf(doc))
        changed.push(`anew ${markdown} ====== ${writeChanged(doc)}`);
    }
    expect(changed).toEqual([]);
  });

  const edited = documents.filter((text) => !text.startsWith('# Formulas'));
  it('loses no word in 2,000 random edits', () => {
    const random = randomNumbers(11);
    for (let run = 0; run < 100; run += 1) {
      const markdown = new MarkdownText();
      const original = edited[run % edited.length] ?? '';
      const { tr } = EditorState.create({ doc: markdown.read(original) });
      for (let edit = 0; edit < 20; edit += 1) editAtRandom(tr, random);
      const written = markdown.write(tr.doc);
      expect({ run, words: wordsOf(read(written)) }).toEqual({ run, words: wordsOf(tr.doc) });
    }
  });
});

const pieces = [
  ...[
    '*',
    '**',
    '_',
    '# ',
    '1. ',
    '- ',
    '> ',
    '|',
    '`',
    '[x](y)',
    '<b>',
    '&amp;',
    '~',
    '日本',
    ' ',
    '\\',
    '![',
  ],
  ...[']', 'http://a.b/c', '+ ', '===', '---', 'a@b.co', '[^1]', 'word', ':', '\u00a0'],
];

/** A seeded random generator. The returned function gives integers from 0 to below `bound`. */
function randomNumbers(seed: number) {
  let state = seed;
  return (bound: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) * bound);
  };
}

function editAtRandom(tr: Transaction, random: (bound: number) => number): void {
  const places: number[] = [];
  tr.doc.descendants((node, pos, parent) => {
    if (!node.isText || isRaw(node) || parent?.type === schema.nodes.raw_block) return;
    for (let offset = 0; offset <= node.nodeSize; offset += 1) places.push(pos + offset);
  });
  const at = places[random(places.length)] ?? 1;
  const $at = tr.doc.resolve(at);
  if ($at.parent.type.spec.code || random(3) > 0) {
    tr.insertText(pieces[random(pieces.length)] ?? '', at);
    return;
  }
  const mark = [schema.marks.strong, schema.marks.em, schema.marks.strike][random(3)];
  if (mark) tr.addMark(at, Math.min($at.end(), at + 1 + random(8)), mark.create());
}

/** Each character with the names of its marks, without spaces, which marks don't keep at their edges. */
function markedCharacters(node: Node): string[] {
  const found: string[] = [];
  node.descendants(({ text = '', marks }) => {
    const names = marks.map(({ type }) => type.name).sort();
    for (const character of text.replace(/\s/g, '')) found.push([character, ...names].join(' '));
  });
  return found;
}

const isRaw = (node: Node) => schema.marks.raw.isInSet(node.marks) !== undefined;

/** The text of all blocks, without white space, which has no meaning in Markdown at these positions. */
function wordsOf(doc: Node): string {
  let words = '';
  doc.descendants((node) => {
    if (node.isText && !isRaw(node)) words += node.text;
    else if (node.type === schema.nodes.math || node.type === schema.nodes.math_block)
      words += `formula ${String(node.attrs['tex']).replace(/^\{(.*)\}$/, '$1')} `;
    else if (node.isBlock) words += `\n${node.type.name}\n`;
    else if (node.type === schema.nodes.hard_break) words += '\n';
  });
  return words
    .replace(/[ \t\u00a0]*\n\s*/g, '\n')
    .replace(/ +/g, ' ')
    .trim();
}

it('writes a line break at the edge of a mark outside the mark', () => {
  const { nodes, marks } = schema;
  const bold = marks.strong.create();
  const lineBreak = nodes.hard_break.create(null, null, [bold]);
  const paragraph = nodes.paragraph.create(null, [
    schema.text('a', [bold]),
    lineBreak,
    schema.text('b'),
    lineBreak,
    schema.text('c', [bold]),
  ]);
  expect(writeBlock(paragraph)).toBe('**a**\\\nb\\\n**c**');
});
