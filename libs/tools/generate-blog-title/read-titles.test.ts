import { describe, expect, it } from '@jest/globals';
import { createTitleReader } from './read-titles.js';

/** Reads an answer in pieces of a few letters. */
function read(answer: string, size = 3): string[] {
  const reader = createTitleReader();
  for (let at = 0; at < answer.length; at += size) reader.add(answer.slice(at, at + size));
  reader.end();
  return [...reader.titles];
}

describe('reading titles from an answer', () => {
  it.each([
    ['a plain list', '1. One tea\n2. Two teas\n'],
    ['remarks around it', 'Here are your titles:\n\n1. One tea\n2. Two teas\n\nI hope this helps!'],
    ['bold type and quotation marks', '1. **“One tea”**\n2. "Two teas"'],
    ['bold numbers', '**1.** One tea\n**2.** Two teas'],
    ['bold lines', '**1. One tea**\n**2. Two teas**'],
    ['headings', '### 1. One tea\n\n### 2. Two teas'],
    ['brackets', '1) One tea\n2) Two teas'],
    ['words before the number', 'Title 1: One tea\nTitle 2: Two teas'],
    ['dashes', '- One tea\n- Two teas'],
    ['a fence', '```markdown\n1. One tea\n2. Two teas\n```'],
    [
      'explanations under each',
      '1. One tea\n   - Why it works: it is short.\n2. Two teas\n   It has a number.',
    ],
    ['dashes under each', '1. One tea\n- Why: short\n2. Two teas\n- Why: a number'],
    ['bare lines', 'Here are the titles:\n\nOne tea\nTwo teas'],
    ['bare lines after a remark', 'Sure! Here are the titles.\n\nOne tea\nTwo teas'],
    ['tags', '<titles>\n<title>One tea</title>\n<title>Two teas</title>\n</titles>'],
    ['a table', '| # | Title |\n|---|---|\n| 1 | One tea |\n| 2 | Two teas |'],
    ['a JSON list', '["One tea", "Two teas"]'],
    ['a fenced JSON list over lines', '```json\n[\n"One tea",\n"Two teas"\n]\n```'],
    ['the same title twice', '1. One tea\n2. ONE TEA!\n3. Two teas'],
    ['brackets on both sides', '(1) One tea\n(2) Two teas'],
    ['square brackets', '[1] One tea\n[2] Two teas'],
    ['slashes', '1/ One tea\n2/ Two teas'],
    ['Chinese marks', '1、「One tea」\n2、『Two teas』'],
    ['keycaps', '1️⃣ One tea\n2️⃣ Two teas'],
    ['letters', 'a) One tea\nb) Two teas'],
    ['Roman numbers', 'I. One tea\nII. Two teas'],
    ['words of other languages', '**Titel 1:** One tea\n**Titel 2:** Two teas'],
    ['labels on lines of their own', '**Title 1:**\nOne tea\n\n**Title 2:**\nTwo teas'],
    ['checkboxes', '- [ ] One tea\n- [x] Two teas'],
    ['a quote', '> 1. One tea\n> 2. Two teas'],
    ['italics and code', '1. *One tea*\n2. `Two teas`'],
    ['their lengths', '1. One tea (7 characters)\n2. Two teas (8 characters)'],
    ['headings alone', '## One tea\n\n## Two teas'],
    ['an HTML list on one line', '<ul><li>One tea</li><li>Two teas</li></ul>'],
    ['a table without numbers', '| Title | Kind |\n|---|---|\n| One tea | list |\n| Two teas | list |'],
    ['bold lines without numbers', '**One tea**\n**Two teas**'],
    ['bold lines below a bold label', '**Titles:**\n\n**One tea**\n\n**Two teas**'],
    ['explanations under bold lines', '**One tea**\nIt is short.\n\n**Two teas**\nIt has a number.'],
    ['italics without numbers', '*One tea*\n*Two teas*'],
    ['a rule before and after it', '---\n**One tea**\n**Two teas**\n---'],
    ['asterisks', '* One tea\n* Two teas'],
    ['bullets without a space', '•One tea\n•Two teas'],
    ['numbers in circles', '① One tea\n② Two teas'],
    ['Chinese numbers', '一、One tea\n二、Two teas'],
    ['full-width numbers', '１．One tea\n２．Two teas'],
    ['full-width brackets', '（1）One tea\n（2）Two teas'],
    ['asterisks without a space', '*One tea\n*Two teas'],
    ['Windows lines', '1. One tea\r\n2. Two teas\r\n'],
  ])('with %s', (_, answer) => {
    for (const size of [1, 3, 1000]) expect(read(answer, size)).toEqual(['One tea', 'Two teas']);
  });

  it.each([
    ['bold type', (title: string, n: number) => `${n}. **${title}** – why it works`],
    ['quotation marks', (title: string, n: number) => `${n}. "${title}" (a list)`],
    ['both', (title: string, n: number) => `${n}. **"${title}"** - for beginners`],
  ])('leaves out the explanation after a title in %s', (_, mark) => {
    expect(read(`${mark('Ten teas for spring', 1)}\n${mark('Tea is a drink', 2)}`)).toEqual([
      'Ten teas for spring',
      'Tea is a drink',
    ]);
  });

  it.each([
    ['a time', ['7：30に起きる方法', '朝のお茶', '夜のお茶']],
    ['a time in English', ['7:30 routines that work', 'Tea in the morning']],
    ['two numbers', ['①②の違い', '朝のお茶']],
    ['two bold words', ['**Tea** Time', '**Tea** for Two', 'Tea at Home']],
  ])('without numbers where one begins with %s', (_, titles) => {
    expect(read(titles.join('\n'))).toEqual(titles);
  });

  it.each(['; ', ' | ', ' • ', '", "', ' 2. '])('splits one line at %j', (separator) => {
    const titles = Array.from(
      { length: 10 },
      (_, n) => `How ${String.fromCharCode(97 + n)} tea is made in spring`,
    );
    const line =
      separator === ' 2. '
        ? titles.map((title, n) => `${n + 1}. ${title}`).join(' ')
        : separator === '", "'
          ? `"${titles.join(separator)}"`
          : titles.join(separator);
    expect(read(line)).toEqual(titles);
  });

  it('keeps the Markdown within a title, and numbers that belong to it', () => {
    const titles = ['7 Ways to *Love* Tea', '2024: A **Good** Year', '一杯茶', '-5 °C', '*Tea* and You'];
    expect(read(titles.map((title, index) => `${index + 1}. ${title}`).join('\n'))).toEqual(titles);
    expect(read('*Tea* and You\n一杯茶')).toEqual(['*Tea* and You', '一杯茶']);
  });

  it('returns at most five hundred words, including the numbers of the list', () => {
    const answer = Array.from(
      { length: 60 },
      (_, i) => `${i + 1}. Title ${i} with nine words in it all told`,
    ).join('\n');
    const titles = read(answer);
    const content = titles.map((title, index) => `${index + 1}. ${title}`).join('\n');
    expect(titles.length).toBeGreaterThan(40);
    expect(content.split(/\s+/).length).toBeLessThanOrEqual(500);
  });

  it('does not read a paragraph as a title', () => {
    expect(read(`1. ${'long '.repeat(60)}\n2. Short`)).toEqual(['Short']);
  });

  it('continues with a second answer, without titles of the first', () => {
    const reader = createTitleReader();
    reader.add('1. One tea\n2. Two');
    expect(reader.end()).toEqual(['Two']);
    expect(reader.add('3. One tea\n4. Four teas\n')).toEqual(['Four teas']);
    expect(reader.end()).toEqual([]);
    expect(reader.titles).toEqual(['One tea', 'Two', 'Four teas']);
  });
});
