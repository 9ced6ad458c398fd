import { describe, expect, it } from '@jest/globals';
import { cpuTimeOf } from '../../../test/support/cpu-time.js';
import { readTopic } from './topic.js';

describe('the topic of a prompt', () => {
  it.each([
    ['remote work', 'remote work'],
    ['Write an article about remote work in Short (500-800 words)', 'remote work'],
    ['Write an article about remote work in Long (1200+ words)', 'remote work'],
    ['Write an article about X in 800-1200 words', 'X'],
    [
      'Write a human-like article about "The future of cities". Length: 800-1200 words.',
      'The future of cities',
    ],
    [
      'Please write me a detailed, SEO-friendly blog post on how to prune roses, within 1200 words.',
      'how to prune roses',
    ],
    ['Generate a human-like article on the topic: Why do cats purr? Make it engaging.', 'Why do cats purr?'],
    ['Could you write an essay regarding tea of about 800 words long', 'tea'],
    ['Write an article of 800 words. Topic: Glass\nUse Markdown.', 'Glass'],
    ['Topic: Glass', 'Glass'],
    ['Write an article for beginners about sourdough. The tone should be friendly.', 'sourdough'],
    ['Create an article titled “Ten Quiet Islands” of about 1600 words', 'Ten Quiet Islands'],
    ['“Ten Quiet Islands”', 'Ten Quiet Islands'],
    ['Write an article about how to write an article about dogs', 'how to write an article about dogs'],
  ])('%j is %j', (prompt, topic) => {
    expect(readTopic(prompt).headline).toBe(topic);
  });

  it.each([
    'Write better code',
    'How to learn 500 words',
    'Describe yourself in 100 words',
    'How to write an article about dogs',
    'Article 50 of the treaty',
    'Make coffee: a love story',
    '"A" and "B"',
    'Write an article about',
    'Write an article about in 800 words',
  ])('%j stays as it is', (prompt) => {
    expect(readTopic(prompt).text).toBe(prompt);
  });

  it('is one line without bidirectional marks, control characters or lone surrogates', () => {
    expect(readTopic('one\r\n\ttwo\u202e \u0000three\ud800').headline).toBe('one two three\ufffd');
  });

  it('keeps joined emoji and the joiners of Persian', () => {
    expect(readTopic('👩‍🚀 می‌خواهم').headline).toBe('👩‍🚀 می‌خواهم');
  });

  it('is the most relevant sentence of a long text, with its other points', () => {
    const text = `Some words to begin with. ${'The old harbour needs a new sea wall before winter. Nobody knows who pays for the sea wall. '.repeat(30)}The weather was fine.`;
    const { headline, points } = readTopic(text);
    expect(headline).toMatch(/sea wall/);
    expect(points).toContain('The weather was fine.');
    expect(new Set(points).size).toBe(points.length);
    expect(points).not.toContain(headline);
  });

  it('is the first line of notes, whose other lines are the points', () => {
    const { headline, points } = readTopic(
      `Spring menu\n- asparagus\n* rhubarb\n1. ${'new potatoes '.repeat(12)}`,
    );
    expect(headline).toBe('Spring menu');
    expect(points.slice(0, 2)).toEqual(['asparagus', 'rhubarb']);
    expect(points[2]).toMatch(/^new potatoes/);
  });

  it.each([
    ['x'.repeat(4000)],
    ['字'.repeat(4000)],
    ['👩‍👩‍👧‍👦'.repeat(300)],
    ['word '.repeat(800)],
    [`${'a\n'.repeat(1999)}b`],
  ])('is one line of a text without sentences (%#)', (text) => {
    const { headline, points } = readTopic(text);
    expect(Array.from(new Intl.Segmenter().segment(headline)).length).toBeLessThanOrEqual(120);
    expect(headline.isWellFormed()).toBe(true);
    expect(points.length).toBeLessThanOrEqual(6);
  });

  it.each([
    ['The future of cities', true],
    ['Café culture in Vienna', true],
    ['🚀', true],
    ['crème brûlée at home', true],
    ['a day in São Paulo', true],
    ['energía solar', false],
    ['jardín de flores', false],
    ['yatırım fikirleri', false],
    ['chăm sóc da', false],
    ['人工智能的未来', false],
    ['Die Zukunft der Städte', false],
    ['¿Cómo aprender a nadar?', false],
    ['Почему небо голубое', false],
    ['recetas faciles para cenar', false],
    ['gesunde rezepte', false],
    ['Gesunde Rezepte', false],
    ['makanan sehat untuk anak', false],
    ['snelle maaltijden', false],
    ['Treino em casa', false],
    ['tanie podroze', false],
    ['kubernetes helm charts', true],
    ['pandas dataframe', true],
    ['Machu Picchu', true],
    ['Rio de Janeiro', true],
    ['figma autolayout', true],
  ])('%j in English: %s', (prompt, isEnglish) => {
    expect(readTopic(prompt).isEnglish).toBe(isEnglish);
  });
});

it('takes little CPU time for any prompt', async () => {
  const parts = ['write an article ', 'a, ', 'the the ', '((((', '- in about 800 words ', '"', 'vs ', 'for '];
  const read = () => {
    for (const part of parts) {
      readTopic(`write an article ${part.repeat(Math.floor(3900 / part.length))}`);
      readTopic(part.repeat(Math.floor(4000 / part.length)));
    }
  };
  expect(await cpuTimeOf(2_000, read)).toBeLessThan(2_000);
});
