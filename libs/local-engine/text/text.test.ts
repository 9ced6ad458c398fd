import { describe, expect, it } from '@jest/globals';
import { isEnglish } from './language.js';
import { inlineCode } from './markdown-text.js';
import { parseMarkdown, proseOf } from './prose.js';
import { readingEase } from './readability.js';
import { sentencesOf } from './sentences.js';

const proseTexts = (markdown: string) =>
  proseOf(markdown).map(({ start, end }) => markdown.slice(start, end));
const sentenceTexts = (text: string) => sentencesOf(text).map(({ start, end }) => text.slice(start, end));

describe('the running text of Markdown', () => {
  it('is its paragraphs, without headings, tables, code, HTML and quoted blocks', () => {
    const markdown = [
      '# Heading',
      'First *paragraph* with `code`.',
      '- item one\n- [ ] task two\n  goes on',
      '1. numbered',
      '> quoted',
      '```\ncode\n```',
      '| a | b |\n|---|---|\n| c | d |',
      '<div>html</div>',
      '---',
      '[x]: http://y.z',
      'Last one.[^1]',
      '[^1]: A note.',
    ].join('\n\n');
    expect(proseTexts(markdown)).toEqual([
      'First *paragraph* with `code`.',
      'item one',
      'task two\n  goes on',
      'numbered',
      'Last one.[^1]',
      'A note.',
    ]);
  });

  it('is cut at hard breaks, and at lines that each end a sentence, not at lines that wrap', () => {
    expect(proseTexts('roses are red  \nviolets are blue')).toEqual(['roses are red', 'violets are blue']);
    expect(proseTexts('roses are red\\\nviolets are blue')).toEqual(['roses are red', 'violets are blue']);
    expect(proseTexts('One sentence.\nAnother one!')).toEqual(['One sentence.', 'Another one!']);
    expect(proseTexts('One sentence that\nwraps. Another.')).toEqual(['One sentence that\nwraps. Another.']);
  });

  it('is empty without words', () => {
    for (const markdown of ['', '# A', '***', '> a', '12.5', '🍕']) expect(proseTexts(markdown)).toEqual([]);
  });

  it.each([
    ['quotations within quotations', '>'.repeat(19_000)],
    ['quotations in a list', `- ${'> '.repeat(900)}`],
    ['marks of emphasis', '*_'.repeat(9_500)],
    ['openings of emphasis', '**a'.repeat(6_300)],
  ])('is found after thousands of %s', (_, marks) => {
    const text = `${marks}\n\nThe lighthouse was *built* in 1874.`;
    expect(proseTexts(text).at(-1)).toBe('The lighthouse was *built* in 1874.');
  });
});

describe('sentences', () => {
  it('do not end at abbreviations, numbers or names with points', () => {
    expect(
      sentenceTexts('Dr. Smith paid $3.50, e.g. for tea. It was 5 p.m. Then v2.1.3 of Node.js came! Really?'),
    ).toEqual([
      'Dr. Smith paid $3.50, e.g. for tea.',
      'It was 5 p.m. Then v2.1.3 of Node.js came!',
      'Really?',
    ]);
  });

  it('cover the text, without the space between them', () => {
    for (const text of [
      'One. Two.\n\nThree',
      ' 这是一个测试。另一个。 ',
      '...',
      'a',
      '“Yes.” “No.”',
      'a\u0000b. c',
    ]) {
      const left = text.split('');
      for (const { start, end } of sentencesOf(text)) left.fill('', start, end);
      expect(left.join('').trim()).toBe('');
    }
    expect(sentencesOf('')).toEqual([]);
  });
});

describe('readability', () => {
  it('is high for simple sentences and low for heavy ones', () => {
    expect(readingEase('The cat sat on the mat. It was warm.')).toBeGreaterThan(100);
    expect(
      readingEase(
        'The utilization of multifaceted organizational methodologies necessitates considerable deliberation.',
      ),
    ).toBeLessThan(0);
    expect(readingEase('…')).toBeNull();
  });
});

describe('the language of a text', () => {
  it.each([
    ['The cat sat on the mat, and it was warm.', true],
    ['Die Katze saß auf der Matte, und es war warm.', false],
    ['Le chat est sur le tapis et il fait chaud.', false],
    ['El gato está en la alfombra y hace calor.', false],
    ['猫坐在垫子上。', false],
    ['Кот сидит на коврике.', false],
    ['القطة على السجادة', false],
    ['Utilizing very many tables.', true],
    ['Große Tische benutzen.', false],
    ['Chaises confortables', false],
    ['Ask Ada Lovelace at Zapier', true],
    ['Managed a team of five, reduced costs by 12% and shipped three releases.', true],
    ['De kat zit op de mat en het is warm vandaag.', false],
    ['O gato está no tapete e faz muito calor hoje.', false],
    ['Katten sitter på mattan och det är varmt idag.', false],
    ['', false],
  ])('%s', (text, expected) => expect(isEnglish(text)).toBe(expected));
});

it('keeps every mark in the tree for exported files', () => {
  const names = Array.from({ length: 1_500 }, (_, n) => `a_${n}_b`).join(' ');
  expect(parseMarkdown(`\`${names}\``)).toMatchObject({ children: [{ children: [{ value: names }] }] });
});

it.each([
  'a_b_*c*[x](http://e.example).pdf',
  '# x.pdf',
  '<img>.pdf',
  'www.example.com',
  '`a``b`',
  '`',
  'a\\|b',
])('writes the file name %s literally in Markdown', (name) => {
  const [paragraph] = parseMarkdown(`This is ${inlineCode(name)} here.`).children;
  expect(paragraph).toMatchObject({
    children: [{ value: 'This is ' }, { type: 'inlineCode', value: name }, { value: ' here.' }],
  });
});
