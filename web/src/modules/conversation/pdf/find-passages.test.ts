import { describe, expect, it } from '@jest/globals';
import { findPassages } from './find-passages.js';

/** The marked part of each text; [] if the quote was not found. */
const marked = (texts: string[], quote: string): string[] =>
  findPassages(texts, quote).flatMap(({ from, to }) =>
    texts
      .slice(from.index, to.index + 1)
      .map((text, place, all) =>
        text.slice(place === 0 ? from.offset : 0, place === all.length - 1 ? to.offset : undefined),
      ),
  );

describe('findPassages', () => {
  it('finds words across texts, with anything between them', () => {
    const texts = ['The lamp was ', 'built in 1874 from gran-', 'ite, “grey”', ' stone.'];
    expect(marked(texts, 'built in 1874 from granite, "grey"')).toEqual([
      'built in 1874 from gran-',
      'ite, “grey',
    ]);
    expect(marked(texts, 'LAMP  was built')).toEqual(['lamp was ', 'built']);
  });

  it.each([
    ['ligatures', 'An oﬃcer in 𝐛𝐨𝐥𝐝', 'officer in bold', 'oﬃcer in 𝐛𝐨𝐥𝐝'],
    ['accents', 'Cafe\u0301 Zürich', 'Café Zu\u0308rich', 'Cafe\u0301 Zürich'],
    ['soft hyphens', 'the long\u00adterm lease', 'long-term lease', 'long\u00adterm lease'],
    ['bidirectional marks', 'شُرِحَ \u200fالعقـد\u200e هنا', 'شرح العقد', 'شُرِحَ \u200fالعقـد'],
  ])('ignores %s', (_, text, quote, part) => {
    expect(marked([text], quote)).toEqual([part]);
  });

  it('finds words of scripts without spaces', () => {
    expect(marked(['图书馆', '在一八七四年'], '图书馆在一八七四年')).toEqual(['图书馆', '在一八七四年']);
  });

  it('prefers whole words', () => {
    expect(marked(['In 2010 of 12,010 boats, 10 sank.'], '10')).toEqual(['10']);
    expect(findPassages(['In 2010, 10 sank.'], '10')[0]?.from.offset).toBe(9);
  });

  it('finds a row of a table with the heads of its columns', () => {
    const table = ['Name', 'Morning', 'Night', 'Alice', '06-14', 'Dana', '06-14', '22-06', 'The rota.'];
    const row = '| Name | Morning | Night |\n| --- | --- | --- |\n| Dana | 06-14<br>sharp | 22-06 |';
    expect(marked(table, row)).toEqual(['Name', 'Morning', 'Night', 'Dana', '06-14', '22-06']);
    expect(marked(table, 'Name: Dana, Night: 22-06')).toEqual(['Name', 'Night', 'Dana', '22-06']);
  });

  it('finds the label and the value of a field apart', () => {
    const form = ['Surname:', 'First name:', 'Please fill in all fields.', 'Okonkwo-Lindgren', 'Adaeze'];
    expect(marked(form, 'First name: Adaeze')).toEqual(['First name', 'Adaeze']);
  });

  it('finds lines of a column between the lines of another', () => {
    const lines = ['accounts in oper-', 'berth holders. The', 'ation had cost more', 'is nine years old'];
    expect(marked(lines, 'accounts in operation had cost more')).toEqual([
      'accounts in oper',
      'ation had cost more',
    ]);
    expect(marked(lines, 'The is nine years')).toEqual(['The', 'is nine years']);
  });

  it('finds the words around an omission', () => {
    const text = 'The rent of the mill, its yard and the meadow is due monthly.';
    expect(marked([text], 'The rent of the mill … is due monthly')).toEqual([
      'The rent of the mill',
      'is due monthly',
    ]);
  });

  it('finds nothing without a match', () => {
    expect(findPassages(['The lamp.'], 'the lamps')).toEqual([]);
    expect(findPassages(['The lamp.'], '—')).toEqual([]);
    expect(findPassages([], 'lamp')).toEqual([]);
    const page = ['The landlord lets the mill.', 'A letter ends this lease.', 'The rent is due.'];
    expect(findPassages(page, 'The tenant pays a deposit of three months before he enters.')).toEqual([]);
  });

  it('takes no time for long pages and quotes', () => {
    const page = Array.from({ length: 3_000 }, (_, index) => `word${index % 7} or ${index}`);
    const quote = Array.from({ length: 400 }, (_, index) => `word${index % 5} or`).join(' ');
    const before = process.threadCpuUsage();
    findPassages(page, quote);
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(3_000);
  });
});
