import { describe, expect, it } from '@jest/globals';
import { checkAnswer } from './check-answer.js';

const pages = [
  'The station shop opens at 5:30 and sells a third of its goods before 8:00.',
  'Coffee brings in 22 percent of its takings, twice as much as elsewhere.',
  'The grain harvest was small.',
];
const check = (answer: string, given = [1, 2]) =>
  checkAnswer(answer, { pages, question: 'What about the “night owl tariff” here?', given: new Set(given) });

describe('checking an answer', () => {
  it('keeps a quotation that is on its page', () => {
    expect(check('It opens early: "The station shop opens at 5:30" [p. 1].')).toEqual({
      content: 'It opens early: “The station shop opens at 5:30” [p. 1].',
      citations: [{ page: 1, quote: 'The station shop opens at 5:30' }],
      dropped: 0,
    });
  });

  it.each(['[page 2]', '(p. 2)', '[pp. 2-3]', '[S. 2]', '[P.2]', '（第2页）', '. [p. 2]'])(
    'understands the page in %s',
    (mark) => {
      const { content, citations } = check(`“Coffee brings in 22 percent” ${mark}`);
      expect(content).toBe('“Coffee brings in 22 percent” [p. 2]');
      expect(citations).toEqual([{ page: 2, quote: 'Coffee brings in 22 percent' }]);
    },
  );

  it('corrects the page of a quotation from another', () => {
    const { content, citations, dropped } = check('"The grain harvest was small" [p. 1]');
    expect(content).toBe('“The grain harvest was small” [p. 3]');
    expect(citations).toEqual([{ page: 3, quote: 'The grain harvest was small' }]);
    expect(dropped).toBe(0);
  });

  it('removes marks and page of a quotation that is on no page', () => {
    expect(check('They say "coffee is our future" [p. 2] and "tea is our past".')).toEqual({
      content: 'They say coffee is our future and tea is our past.',
      citations: [],
      dropped: 2,
    });
  });

  it('adds the page of a quotation without one', () => {
    expect(check('"twice as much as elsewhere" is what it says').content).toBe(
      '“twice as much as elsewhere” [p. 2] is what it says',
    );
  });

  it('keeps quoted words of the question, and single words of the document', () => {
    expect(check('The "night owl tariff" is unknown; "takings" is used.')).toEqual({
      content: 'The "night owl tariff" is unknown; "takings" is used.',
      citations: [],
      dropped: 0,
    });
    expect(check('A "loophole" is not named.').content).toBe('A loophole is not named.');
  });

  it('checks block quotations', () => {
    expect(
      check(
        'So:\n\n> Coffee brings in 22 percent\n> of its takings — [p. 2]\n\nand\n\n> Tea brings in more. [p. 2]\n\nEnd',
      ),
    ).toEqual({
      content:
        'So:\n\n> “Coffee brings in 22 percent of its takings” [p. 2]\n\nand\n\nTea brings in more.\n\nEnd',
      citations: [{ page: 2, quote: 'Coffee brings in 22 percent of its takings' }],
      dropped: 1,
    });
  });

  it('keeps a page without a quotation only if the page was in the prompt', () => {
    expect(check('Coffee matters [p. 2], grain too [p. 3], and more [p. 99].').content).toBe(
      'Coffee matters [p. 2], grain too, and more.',
    );
  });

  it('lists a repeated quotation once', () => {
    const quotation = '"Coffee brings in 22 percent" [p. 2]';
    expect(check(`${quotation} and ${quotation}`).citations).toHaveLength(1);
  });

  it('handles text that looks like its own placeholders', () => {
    expect(check('a \u00000\u0000 b "Coffee brings in" [p. 2]').content).toBe(
      'a 0 b “Coffee brings in” [p. 2]',
    );
  });

  it('keeps Markdown', () => {
    const answer = '# Title\n\n- one\n- two\n\n```\ncode\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |';
    expect(check(answer).content).toBe(answer);
  });
});

describe('checking an answer about a document with printed page numbers', () => {
  const labels = ['ii', 'A-1', '1'];
  const checkLabels = (answer: string, given = [1, 2]) =>
    checkAnswer(answer, { pages, labels, question: 'Why?', given: new Set(given) });

  it('reads and writes the printed numbers', () => {
    expect(checkLabels('Early: "The station shop opens at 5:30" [p. ii]. More [p. A-1] (p. 1).')).toEqual({
      content: 'Early: “The station shop opens at 5:30” [p. ii]. More [p. A-1].',
      citations: [{ page: 1, label: 'ii', quote: 'The station shop opens at 5:30' }],
      dropped: 0,
    });
  });

  it('corrects them', () => {
    expect(checkLabels('"The grain harvest was small" [p. ii]')).toMatchObject({
      content: '“The grain harvest was small” [p. 1]',
      citations: [{ page: 3, label: '1' }],
    });
    expect(checkLabels('> Coffee brings in 22 percent [pp. A-1 – 1]').content).toBe(
      '> “Coffee brings in 22 percent” [p. A-1]',
    );
  });

  it('leaves other brackets as they are', () => {
    expect(checkLabels('The owner (P. Smith) says so.').content).toBe('The owner (P. Smith) says so.');
  });
});
