import { describe, expect, it } from '@jest/globals';
import { queryOf } from './question.js';
import { chooseExcerpts } from './choose-passages.js';
import { QuotablePage } from '#libs/local-engine/text/find-quote.js';
import { headingsOf } from './headings.js';
import { passagesByPage, textOf } from './passages.js';
import { embeddedSentence, embeddedText, indexPassages } from './search.js';
import { toDirection, vectorKey } from './vectors.js';
import { excerpts, textsToCompare } from './thread.js';
import { approximateTokens, isInLatinLetters } from './tokens.js';

const toPassages = (pages: string[]) => [...passagesByPage(pages)].flat();
const query = (pages: string[], question: string, earlier: string[] = []) =>
  queryOf(indexPassages(pages), {
    question,
    history: earlier.flatMap((content) => [
      { role: 'user' as const, content },
      { role: 'assistant' as const, content: 'Ten years.' },
    ]),
    fileName: 'file.pdf',
    pages,
    labels: null,
  });
const FILLER = 'The committee met and spoke of ordinary matters for some time without any decision. ';

describe('passages', () => {
  it('consist of whole sentences of one page, word for word', () => {
    const pages = [
      `Opening words\n${FILLER.repeat(20)}`,
      '1. First item, with Dr. Ek.\n2. Second item\nthat goes on.\n\nNew paragraph',
    ];
    const passages = toPassages(pages);
    expect(new Set(passages.map(({ page }) => page))).toEqual(new Set([1, 2]));
    for (const passage of passages) {
      expect(textOf(passage).length).toBeLessThan(750);
      expect(new QuotablePage(pages[passage.page - 1]!).find(textOf(passage))).not.toBeNull();
    }
    expect(passages.filter(({ page }) => page === 2).map(({ sentences }) => sentences)).toEqual([
      ['1. First item, with Dr. Ek.', '2. Second item that goes on.', 'New paragraph'],
    ]);
  });

  it('omit running headers and footers', () => {
    const pages = ['alpha', 'beta', 'gamma', 'delta'].map(
      (word, at) => `Annual report\nAll about ${word} here.\nPage ${at + 1} of 4`,
    );
    expect(toPassages(pages).map(textOf)).toEqual(
      ['alpha', 'beta', 'gamma', 'delta'].map((word) => `All about ${word} here.`),
    );
  });

  it('keep lines at the edges of pages that differ in what they say', () => {
    const totals = [850, 1240, 99, 4310, 77, 1900];
    const pages = totals.map(
      (total, at) =>
        `Invoices, page ${Math.floor(at / 3) + 1}-${(at % 3) + 1}\nCanvas bags for ${'abcdef'[at]}.\nTotal: ${total}.00 EUR`,
    );
    expect(toPassages(pages).map(textOf)).toEqual(
      totals.map((total) => expect.stringMatching(`^Canvas bags.*Total: ${total}\\.00 EUR$`) as unknown),
    );
  });

  it('have the headings above them', () => {
    const page =
      'Safety first\nNever open the housing of the unit while it runs.\n\nCare\nWipe it with a cloth once a month, says the book.';
    expect(headingsOf(page)).toEqual(['Safety first', 'Care']);
    expect(toPassages([page]).map(({ heading }) => heading)).toEqual(['Safety first', 'Care']);
  });

  it('divide text without sentences, such as a table, without losing a word', () => {
    const page = `${'barley 12 rye 34 '.repeat(600)}oats`;
    const passages = toPassages([page]);
    for (const passage of passages) {
      expect(textOf(passage).length).toBeLessThan(750);
      expect(new QuotablePage(page).find(textOf(passage))).not.toBeNull();
    }
    expect(passages.flatMap(({ sentences }) => sentences).join(' ')).toBe(page);
  });

  it('join Chinese and Japanese lines without a space', () => {
    expect(toPassages(['春眠不覚暁処処\n聞啼鳥夜来風雨'])[0]?.sentences).toEqual([
      '春眠不覚暁処処聞啼鳥夜来風雨',
    ]);
  });
});

describe('the search', () => {
  const pageOf = (pages: string[], question: string, context?: string) =>
    indexPassages(pages).search(question, { context }).hits[0]?.passage.page;

  it.each([
    [
      'other forms of a word',
      ['Cats sleep.', 'Dogs were running in the parks.'],
      'Does a dog run in a park?',
      2,
    ],
    [
      'another word',
      ['The committee ate lunch.', 'The holiday is 28 days.'],
      'How much vacation is there?',
      2,
    ],
    ['a typing error', ['The lunch was good.', 'The temperature is high.'], 'temprature?', 2],
    ['numbers as they are written', ['It has 1,200 seats.', 'It has 3000 rooms.'], 'What has 1200?', 1],
    ['Japanese', ['会議は月曜日です。', '東京の本社は五階建てです。'], '東京の本社について', 2],
    ['Chinese', ['会议在星期一举行。', '公司的总部位于上海市。'], '公司总部在哪里？', 2],
    ['Arabic', ['الاجتماع يوم الاثنين', 'المكتب الرئيسي في القاهرة'], 'أين المكتب الرئيسي؟', 2],
    [
      'German',
      ['Die Katze schläft im Haus und ist müde.', 'Der Vertrag endet mit dem Jahr, wie es in ihm steht.'],
      'Wann endet der Vertrag?',
      2,
    ],
  ])('finds %s', async (_, pages, question, page) => {
    expect(pageOf(pages, question)).toBe(page);
  });

  it('reports the coverage of a question', async () => {
    const index = indexPassages(['The cat sleeps on the mat.', 'The dog eats.']);
    expect(index.search('Where does the cat sleep?').coverage).toBe(1);
    expect(index.search('Who won the football championship?').coverage).toBe(0);
    expect(index.search('the of and').hits).toEqual([]);
  });

  it('searches a follow-up question together with the previous one', async () => {
    const pages = [
      'Code E7: the flow is too small.',
      'The guarantee holds for ten years.',
      'Code E9: too hot.',
    ];
    const { context } = query(pages, 'And what does it cover?', ['How long does the guarantee hold?']);
    expect(pageOf(pages, 'And what does it cover?', context)).toBe(2);
    expect(query(pages, 'Which code says that the flow is too small?').context).toBe('');
    expect(query(pages, 'Which code means small flow?', ['How long does the guarantee hold?']).context).toBe(
      '',
    );
  });
});

describe('words that are frequent in questions', () => {
  const documents = {
    japanese: [
      '会社の勤務時間は午前九時から午後六時までです。残業は事前に上司の許可が必要です。',
      '有給休暇は入社六か月後に十日与えられます。申請は一週間前までに行ってください。',
      '給料は毎月二十五日に銀行口座へ振り込まれます。',
    ],
    chinese: [
      '公司的工作时间是上午九点到下午六点。加班须事先得到上司批准。',
      '入职六个月后有十天带薪年假。请假须提前一周申请。',
      '工资每月二十五日汇入银行账户。',
    ],
    russian: ['Обеденный перерыв длится один час. Он начинается в полдень.', 'Кто болен, тот звонит.'],
  };

  it.each([
    ['japanese', '有給休暇は何日ありますか', true],
    ['japanese', '残業には許可がいりますか', true],
    ['japanese', '社長の名前は何ですか', false],
    ['chinese', '加班需要批准吗', true],
    ['chinese', '老板叫什么名字', false],
    ['russian', 'Сколько длится перерыв?', true],
    ['russian', 'Как зовут директора?', false],
  ] as const)('do not count in a %s document: %s', (language, question, isAnswered) => {
    expect(indexPassages(documents[language]).search(question).isAnswered).toBe(isAnswered);
  });
});

it('ranks candidates by their closeness and that of their best sentences', () => {
  const pages = Array.from({ length: 10 }, (_, at) => `Chapter ${at} tells of wool. It tells of salt ${at}.`);
  const index = indexPassages(pages);
  // Later passages are less similar to the question.
  const vectors = new Map(
    index.passages.map((passage, at) => [vectorKey(embeddedText(passage)), toDirection([10 - at, at])]),
  );
  const closeness = new Map<string, number>();
  const meaning = { question: toDirection([1, 0]), vectors, closeness };
  const rank = () => index.search('Anything?', { meaning }).hits.map(({ passage }) => passage.page);
  expect(index.candidates('Anything?', { meaning }).map(({ page }) => page)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8,
  ]);
  expect(rank()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  for (const passage of index.passages) closeness.set(embeddedText(passage), 0.4);
  closeness.set(embeddedText(index.passages[5]!), 0.6);
  const third = index.passages[2]!;
  closeness.set(embeddedSentence(third, third.sentences[1]!), 0.5);
  expect(rank()).toEqual([6, 3, 1, 2, 4, 5, 7, 8, 9, 10]);
});

it('compares all sentences of candidates, also in long lists', () => {
  const pages = Array.from({ length: 6 }, (_, page) =>
    Array.from({ length: 16 }, (_, at) => `- lamp ${page * 16 + at}: 9 euro`).join('\n'),
  );
  const question = 'What does a lamp cost?';
  const meaning = { question: toDirection([1, 0]), vectors: new Map() };
  const compared = textsToCompare({
    pages,
    question,
    history: [],
    fileName: '',
    labels: null,
    meaning,
  }).passages;
  const passages = indexPassages(pages).candidates(question, { meaning });
  expect(passages.length).toBeGreaterThan(5);
  for (const passage of passages)
    for (const sentence of passage.sentences) expect(compared).toContain(embeddedSentence(passage, sentence));
});

describe('the excerpts for a model', () => {
  const asked = { text: 'What is the secret code?', context: '', isAboutWhole: false };

  it('are the whole of a short document', async () => {
    const pages = ['One page of text.', '', 'Another page of text.'];
    const excerpts = chooseExcerpts(indexPassages(pages), asked, 1_000);
    expect(excerpts).toEqual([
      { page: 1, text: 'One page of text.' },
      { page: 3, text: 'Another page of text.' },
    ]);
  });

  it('are the relevant passages of a long document, within the budget', async () => {
    const pages = Array.from(
      { length: 120 },
      (_, at) => `Chapter about number ${at + 1}. ${FILLER.repeat(25)}`,
    );
    pages[96] += 'The secret code is turnip.';
    const index = indexPassages(pages);
    const excerpts = chooseExcerpts(index, asked, 2_000);
    expect(excerpts.find(({ page }) => page === 97)?.text).toContain('The secret code is turnip.');
    expect(approximateTokens(excerpts.map(({ text }) => text).join(''))).toBeLessThanOrEqual(2_100);
    expect(excerpts.map(({ page }) => page)).toEqual(excerpts.map(({ page }) => page).sort((a, b) => a - b));
    const named = chooseExcerpts(
      index,
      { ...asked, text: 'And page 80?', pages: { first: 80, last: 80 } },
      2_000,
    );
    expect(named.map(({ page }) => page)).toContain(80);
    const spread = chooseExcerpts(index, { ...asked, isAboutWhole: true }, 2_000).map(({ page }) => page);
    expect(spread[0]).toBe(1);
    expect(spread.some((page) => page > 60)).toBe(true);
  });
});

it('chooses relevant excerpts of other pages too for a question that names a page', () => {
  const pages = Array.from({ length: 40 }, (_, at) => `Chapter ${at} about the code. ${FILLER.repeat(6)}`);
  pages[30] = `A turnip opens the door. ${FILLER.repeat(6)}`;
  const vectors = new Map(
    indexPassages(pages).passages.map((passage) => [
      vectorKey(embeddedText(passage)),
      toDirection(passage.page === 31 ? [9, 1] : [8, 2]),
    ]),
  );
  const asked = {
    pages,
    question: 'Which code is meant on page 5?',
    history: [],
    fileName: '',
    labels: null,
    budgetTokens: 700,
  };
  const meaning = { question: toDirection([1, 0]), vectors };
  const closeness = new Map(
    textsToCompare({ ...asked, meaning }).passages.map((text) => [text, text.includes('turnip') ? 0.9 : 0.2]),
  );
  const given = excerpts({ ...asked, meaning: { ...meaning, closeness } }).map(({ page }) => page);
  expect(given).toEqual(expect.arrayContaining([5, 31]));
  const offline = textsToCompare({ ...asked, budgetTokens: undefined, meaning }).passages;
  expect(offline.join()).not.toContain('turnip');
});

it('embeds a question with the previous one only if it has no meaning alone', () => {
  const pages = ['The guarantee holds for ten years. She speaks German.'];
  const before = 'How long does the guarantee hold?';
  const sentence = (question: string) => query(pages, question, [before]).sentence;
  expect(sentence('And after that?')).toBe(`${before} And after that?`);
  expect(sentence('Until when?')).toBe(`${before} Until when?`);
  expect(sentence('Does she speak German?')).toBe('Does speak German?');
});

it('estimates tokens by script', () => {
  expect(approximateTokens('abcdefgh')).toBe(2);
  expect(approximateTokens('東京都庁')).toBe(4);
  expect(approximateTokens('привет')).toBe(3);
});

it.each([
  ['Wie heißt das Haus in Zürich, 東京?', true],
  ['12 + 3 = 15', true],
  ['給料はいつ払われますか', false],
  ['Когда платят по PayPal?', false],
])('recognises whether %j is in Latin letters', (text, isLatin) =>
  expect(isInLatinLetters(text)).toBe(isLatin),
);
