import { describe, expect, it } from '@jest/globals';
import { labelRanges, nameOfPage, pageMark, readRoman } from './page-labels.js';
import { parsePageQuestion } from './page-question.js';

/** The pages i to iv and 1 to 6. */
const book = ['i', 'ii', 'iii', 'iv', '1', '2', '3', '4', '5', '6'];
/** A cover without a number, and an annex. */
const manual = ['', '1', '2', '3', 'A-1', 'A-2', 'B-1'];

const pagesOf = (question: string, labels: string[] | null, count = labels?.length ?? 12) => {
  const { first, last } = parsePageQuestion(question, count, labels) ?? {};
  return first === last ? first : [first, last];
};

describe('a question for a page', () => {
  it.each([
    ['What is on page 3?', 7],
    ['what does page three say', 7],
    ['Was steht auf Seite 3?', 7],
    ['Summarise page iii', 3],
    ['What is written on p. iv?', 4],
    ['page IV', 4],
    ['What do pages ii to iv say?', [2, 4]],
    ['pages iii-2', [3, 6]],
    ['The third page?', 3],
    ['What does the last page say?', 10],
    ['Was steht auf der zweiten Seite?', 2],
    ['¿Qué dice la última página?', 10],
    ['the 7th page', 7],
  ])('of a book with a preface: %s', (question, expected) =>
    expect(pagesOf(question, book)).toEqual(expected),
  );

  it.each([
    ['What does page A-2 say?', 6],
    ['page a-1', 5],
    ['What is on page 2?', 3],
    ['page B-1, please', 7],
  ])('of a manual with an annex: %s', (question, expected) =>
    expect(pagesOf(question, manual)).toEqual(expected),
  );

  it.each([
    ['What is on page 12?', 12],
    ['page iii', 3],
    ['the third page', 3],
    ['What are pages 2 to 4 about?', [2, 4]],
  ])('of a file without labels: %s', (question, expected) =>
    expect(pagesOf(question, null)).toEqual(expected),
  );

  it('takes a number that is printed nowhere for the place in the file', () => {
    expect(parsePageQuestion('What is on page 9?', 10, book)).toMatchObject({ first: 9, unprinted: '9' });
    expect(parsePageQuestion('What is on page 6?', 10, book)).toMatchObject({ first: 10, unprinted: null });
  });

  it('asks for the whole page or for something on it', () => {
    const isWhole = (question: string) => parsePageQuestion(question, 10, book)?.isWhole;
    expect(isWhole('What are the main points on page 3?')).toBe(true);
    expect(isWhole('Fasse Seite 3 zusammen')).toBe(true);
    expect(isWhole('What does page 3 say about slate?')).toBe(false);
    expect(isWhole('Which stone is on page iii?')).toBe(false);
  });

  it.each([
    'How many pages are there?',
    'Is there a page a day?',
    'Which page is about slate?',
    'What does page setup mean?',
  ])('is not: %s', (question) => expect(parsePageQuestion(question, 10, book)).toBeNull());
});

describe('page labels', () => {
  it('name pages, unless they would be Markdown', () => {
    expect(pageMark(3, book)).toBe('[p. iii]');
    expect(pageMark(3, null)).toBe('[p. 3]');
    expect(nameOfPage(1, manual)).toBe('1');
    expect(nameOfPage(1, ['](http://x.example)'])).toBe('1');
  });

  it('are listed by their runs', () => {
    expect(labelRanges(book)).toBe('i to iv, 1 to 6');
    expect(labelRanges(manual)).toBe('1 to 3, A-1 to A-2, B-1');
    expect(labelRanges(null)).toBe('');
  });

  it.each([
    ['iv', 4],
    ['XIV', 14],
    ['mcmxc', 1990],
    ['iiii', 0],
    ['mix', 1009],
    ['page', 0],
  ])('%s is %d as a Roman numeral', (text, value) => expect(readRoman(text)).toBe(value));
});
