import { describe, expect, it } from '@jest/globals';
import { resumePages } from '../../../test/support/resumes.js';
import { findDateRanges, monthsCovered } from './date-ranges.js';
import { createQuoteFinder } from '../text/find-quote.js';
import { toResume } from './resume.js';
import { findSections, sectionKind } from './sections.js';

const resume = toResume('mara.pdf', resumePages);

describe('a resume', () => {
  it('has the page and line of its text', () => {
    expect(resume.lines.find(({ text }) => text === 'Skills')).toEqual({ page: 2, line: 3, text: 'Skills' });
  });

  it.each([
    ['a few words', ['Mara Lindqvist\nBackend engineer'], /only 4 words of text; a resume needs at least 40/],
    ['many words of one letter', ['a '.repeat(150)], /only 150 letters of text; .* at least 160/],
    ['nothing', ['', ''], /no words of text/],
  ])('with %s is refused for that reason', (_, pages, reason) => {
    expect(() => toResume('scan.pdf', pages)).toThrow(
      expect.objectContaining({
        code: 'UNREADABLE_PDF',
        message: expect.stringMatching(reason) as unknown as string,
      }),
    );
  });

  it('may be short', () => {
    const short = 'Petra Novak wrote order services for three hundred shops. '.repeat(8);
    expect(toResume('short.pdf', [short]).words).toBe(72);
  });

  it('may be in Chinese, and may not be a book', () => {
    expect(toResume('a.pdf', ['软件工程师负责数据库设计与开发工作，'.repeat(20)]).words).toBeGreaterThan(100);
    expect(() => toResume('book.pdf', ['many words '.repeat(15_000)])).toThrow(/far more than a resume/);
  });
});

describe('sections', () => {
  it('are found by their headings', () => {
    expect(findSections(resume.lines).map(({ kind }) => kind)).toEqual([
      'summary',
      'experience',
      'education',
      'skills',
      'languages',
    ]);
  });

  it.each([
    ['WORK EXPERIENCE', 'experience'],
    ['Employment History:', 'experience'],
    ['S K I L L S', 'skills'],
    ['Licenses & Certifications', 'certifications'],
    ['— About Me —', 'summary'],
    ['Skills: Python, SQL', null],
    ['I have experience in many things', null],
    ['Experience 2019', null],
  ])('%j is %s', (line, kind) => {
    expect(sectionKind(line)).toBe(kind);
  });
});

describe('dates', () => {
  const lines = (...texts: string[]) => texts.map((text, index) => ({ page: 1, line: index + 1, text }));

  it('are read in every usual form', () => {
    const ranges = findDateRanges(
      lines('Mar 2018 – Present', 'January 2014 to June 2016', '03/2012-05/2013', '2009 — 2011', 'in 2019'),
    );
    expect(ranges.map(({ start, end, styles }) => [start, end, styles])).toEqual([
      [2018 * 12 + 2, null, ['Jan 2020']],
      [2014 * 12, 2016 * 12 + 5, ['January 2020', 'January 2020']],
      [2012 * 12 + 2, 2013 * 12 + 4, ['01/2020', '01/2020']],
      [2009 * 12, 2011 * 12 + 11, ['2020', '2020']],
    ]);
  });

  it('count once if they overlap', () => {
    const ranges = findDateRanges(lines('Jan 2020 - Dec 2020', 'Jul 2020 - Jun 2021', 'Jan 2023 - Present'));
    expect(monthsCovered(ranges, new Date('2023-03-15T00:00:00Z'))).toBe(18 + 3);
  });
});

describe('a quotation', () => {
  const find = createQuoteFinder([
    'Built the “Café” booking\nsystem, cut costs by 40 %.',
    'Led C++ and C# work — co-wrote it.',
  ]);

  it.each([
    ['built the cafe booking system', 1, 'Built the “Café” booking system'],
    ['CUT COSTS BY 40 %', 1, 'cut costs by 40 %'],
    ['Built the ... cut costs', 1, 'Built the “Café” booking system, cut costs'],
    ['C++ and C#', 2, 'C++ and C#'],
    ['co wrote', 2, 'co-wrote'],
  ])('%j is found on its page, as it stands there', (quote, page, text) => {
    expect(find(quote)).toEqual({ page, text });
  });

  it.each(['built a café', 'ed the', 'C and', '', '…', 'cut costs by 4', 'booking system Led'])(
    '%j is not',
    (quote) => {
      expect(find(quote)).toBeNull();
    },
  );
});
