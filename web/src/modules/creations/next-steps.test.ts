import { describe, expect, it } from '@jest/globals';
import { titlesToExclude, nextStepsOf, titlesOf } from './next-steps';

const article = {
  type: 'article',
  prompt: 'balcony plants',
  content: '# **Tomatoes** on a _balcony_\n\nText.',
  engine: 'openai' as const,
  revision: 1,
  settings: null,
};

describe('the next steps of a creation', () => {
  it('are a picture of the heading and humanized text for an article', () => {
    expect(nextStepsOf(article)).toEqual([
      {
        tool: 'generate-image',
        label: 'Header image',
        state: { fill: { prompt: 'Tomatoes on a balcony', size: '1536x1024' } },
      },
      { tool: 'humanize-text', label: 'Humanize it', state: { fill: { text: article.content } } },
    ]);
  });

  it.each([
    ['of an outline that nobody filled in', { engine: 'offline' as const }, 1],
    ['of an outline that somebody filled in', { engine: 'offline' as const, revision: 2 }, 2],
    ['of more words than can be humanized', { content: 'word '.repeat(1_001) }, 1],
  ])('%s has a step to humanize only if its text allows it', (_, change, count) => {
    expect(nextStepsOf({ ...article, ...change })).toHaveLength(count);
  });

  it('use the topic of an article without a heading', () => {
    expect(nextStepsOf({ ...article, content: 'Text.' })[0]?.state).toMatchObject({
      fill: { prompt: 'balcony plants' },
    });
  });

  it.each([
    ['resume-review', ['calculate-ats-score', 'tailored-bullets', 'cover-letter']],
    ['ats-score', ['resume-review', 'tailored-bullets', 'cover-letter']],
    ['tailored-bullets', ['cover-letter']],
    ['cover-letter', []],
    ['image', []],
  ])('of %s are %j', (type, tools) => {
    expect(nextStepsOf({ ...article, type }).map(({ tool }) => tool)).toEqual(tools);
  });
});

it('fill in the job description of the creation', () => {
  const creation = { ...article, type: 'ats-score', settings: { jobDescription: 'We need Rust.' } };
  expect(nextStepsOf(creation)[1]?.state).toEqual({
    isRepeat: true,
    fill: { jobDescription: 'We need Rust.' },
  });
  expect(nextStepsOf({ ...creation, settings: null })[1]?.state).toEqual({ isRepeat: true });
});

it('read titles without Markdown', () => {
  expect(
    titlesOf(
      '# Titles\n1. My **own** title\n2) C\\# for snake_case people\n\n- [A link](https://a.example)\ntext',
    ),
  ).toEqual(['My own title', 'C# for snake_case people', 'A link']);
});

it('leave out lines of an edited list that are no longer titles', () => {
  const lines = Array.from({ length: 70 }, (_, index) => `${index + 1}. Title ${index + 1}`);
  const titles = titlesToExclude([`- ${'word '.repeat(100)}`, ...lines].join('\n'));
  expect(titles).toHaveLength(60);
  expect(titles[0]).toBe('Title 1');
});
