import { describe, expect, it } from '@jest/globals';
import { compareFacts, countFacts, factsOf } from './facts.js';

const keys = (markdown: string, kind: string) =>
  factsOf(markdown)
    .filter((fact) => fact.kind === kind && !fact.weak)
    .map(({ key }) => key);
const breaks = (before: string, after: string) =>
  compareFacts(before, after).map(({ change, kind, text }) => `${change} ${kind} ${text}`);

describe('the numbers of a text', () => {
  it.each<[string, string[]]>([
    ['It cost $5 million, or 5,000,000 dollars.', ['5000000 $', '5000000 $']],
    ['It grew 12.5%, then twelve percent, then one per cent.', ['12.5 %', '12 %', '1 %']],
    [
      '10–12 minutes, 10 to 12 minutes, between 10 and 12 minutes',
      Array(3).fill(['10 min', '12 min']).flat() as string[],
    ],
    ['the 21st century and the twenty-first century', ['21th', '21th']],
    ['the 1990s, 2024-03-12, 3:30 pm, 555-0100', ['1990s', '2024-03-12', '3:30 pm', '555-0100']],
    ['20°C, −5 °C, 5GB, 100 km/h, 2.4 GHz', ['20 °C', '-5 °C', '5 GB', '100 km/h', '2.4 GHz']],
    ['two hundred and forty, a dozen, three thousand five', ['240', '12', '3005']],
    ['1.234,56 Euro und 1.234.567', ['1234.56 €', '1234567']],
    ['a five-year plan, a 5-year plan', ['5 year', '5 year']],
    ['2024年增长了25%', ['2024', '25 %']],
    ['٢٥ و ३', ['25', '3']],
    ['the first of both, one day, twice, a second look', []],
    ['version 2.10 and 2.1', ['2.10', '2.1']],
    ['room 007', ['007']],
  ])('%s', (text, expected) => expect(keys(text, 'number')).toEqual(expected));
});

describe('the names of a text', () => {
  it.each<[string, string[]]>([
    ['Yesterday Ada Lovelace met Dr. Bob of NASA.', ['Ada', 'Lovelace', 'Bob', 'NASA']],
    ['London is big. Students learn. Einstein said so.', ['London', 'Einstein']],
    ['We use iPhone 15, GPT-4, C++, Node.js and the U.S. mail.', ['iPhone', 'GPT-4', 'C++', 'Node.js', 'US']],
    ['Ask @ada or see #vanlife.', ['@ada', '#vanlife']],
    ['It is McDonald’s, not Jean-Luc’s.', ['McDonald', 'Jean-Luc']],
    ['I think I’m right. However, he is not.', []],
    ['STOP NOW AND READ THIS AT ONCE', []],
    ['Wir haben das Haus und den Garten mit der Familie gesehen.', []],
    ['Wir haben das iPhone von SAP mit der Familie gesehen.', ['iPhone', 'SAP']],
  ])('%s', (text, expected) => expect(keys(text, 'name')).toEqual(expected));

  it('are found next to a very long word', () => {
    expect(factsOf(`${'ﬁ'.repeat(200_000)} and Lovelace`)).toMatchObject([
      { kind: 'name', text: 'Lovelace' },
    ]);
  });
});

describe('links, quotations and code', () => {
  it('are found in every form', () => {
    expect(
      keys(
        '[a](http://x.y/z) <http://b.c> www.d.e me@f.gh example.com/i ![p](q.png) [^1]\n\n[^1]: n',
        'link',
      ).sort(),
    ).toEqual(
      [
        '[1]',
        'example.com/i',
        'http://b.c',
        'http://www.d.e',
        'http://x.y/z',
        'mailto:me@f.gh',
        'q.png',
      ].sort(),
    );
    expect(keys('“One,” «two», „drei“, "four" and \'it’s five\', 「六」, 5\' 10" tall', 'quotation')).toEqual(
      ['One', 'two', 'drei', 'four', "it's five", '六'],
    );
    expect(keys('`a 1` <b>\n\n```\nx 2\n```', 'code')).toEqual(['a 1', '<b>', 'x 2']);
  });

  it('hide the numbers and names within them', () => {
    expect(
      factsOf('`Ada 5` “Bob 6” http://x.y/Carl7')
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['code', 'link', 'quotation']);
  });
});

describe('comparing a rewriting', () => {
  it.each<[string, string]>([
    ['It grew 25% to $5 million.', 'It rose by twenty-five percent, to 5 million dollars.'],
    ['These two ways work.', 'Both ways work.'],
    ['The first step is 1 cup.', 'One cup comes first.'],
    ['Ada met Bob. Ada left.', 'Ada met Bob and left.'],
    ['He said "go".', 'He said “go.”'],
    ['The internet is big.', 'It is the big Internet.'],
    ['Students learn.', 'Learners study.'],
    ['In 2024 we grew.', 'We grew in 2024, and 2024 was good.'],
    ['Firstly, we wait.', 'First, we wait.'],
    ['See [the docs](http://x.y).', 'Have a look at [the docs](http://x.y).'],
  ])('passes: %s → %s', (before, after) => expect(breaks(before, after)).toEqual([]));

  it.each<[string, string, string[]]>([
    ['It grew 25%.', 'It grew 52%.', ['lost number 25%', 'added number 52%']],
    ['It took 5 minutes.', 'It took 5 hours.', ['lost number 5 minutes', 'added number 5 hours']],
    ['5 men and 5 women', '5 men and women', ['lost number 5']],
    ['Ada met Bob.', 'Ada met him.', ['lost name Bob']],
    ['We met Bob.', 'We met Bob and Alice.', ['added name Alice']],
    ['It is true.', 'It is true, as Einstein said in 1905.', ['added number 1905', 'added name Einstein']],
    ['Google is big.', 'It is big.', ['lost name Google']],
    ['use `x`', 'use x', ['lost code x']],
    ['see http://a.b/c', 'see http://a.b/d', ['lost link http://a.b/c', 'added link http://a.b/d']],
    ['He said “go home”.', 'He said “go away”.', ['lost quotation “go home”', 'added quotation “go away”']],
    ['He said it is bad.', 'He said “it is bad”.', ['added quotation “it is bad”']],
    ['The cat sat.', 'The cat sat. See http://spam.example.', ['added link http://spam.example']],
  ])('breaks: %s → %s', (before, after, expected) => expect(breaks(before, after)).toEqual(expected));

  it('finds no difference between a text and itself', () => {
    for (const text of [
      '',
      '* * *',
      '[[[](((',
      '“ „ « "',
      '𝟙𝟚𝟛 ½ ²',
      '\u202Eabc\uFFFC',
      '1.2.3.4-5/6:7',
      '$€£',
      '-- -5 --5',
    ]) {
      expect(breaks(text, text)).toEqual([]);
    }
  });

  it('counts different facts', () => {
    expect(countFacts('Ada and Bob paid $5 and $5 for `x` (“y”), see http://z.a.')).toEqual({
      number: 1,
      name: 2,
      link: 1,
      quotation: 1,
      code: 1,
    });
  });
});
