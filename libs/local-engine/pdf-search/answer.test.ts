import { describe, expect, it } from '@jest/globals';
import { answerOffline } from './answer.js';
import { QuotablePage } from '#libs/local-engine/text/find-quote.js';
import { embeddedText, indexPassages, type Meaning } from './search.js';
import { vectorKey } from './vectors.js';

const FILLER = 'The committee met and spoke of ordinary matters for some time without any decision. ';

function answer(pages: string[], question: string, meaning: Meaning | null = null, starts?: number[]) {
  const index = indexPassages(pages);
  const { pieces, quotes, isUncertain } = answerOffline(index, {
    question,
    history: [],
    fileName: 'file.pdf',
    pages,
    labels: null,
    meaning,
    ...(starts && { starts }),
  });
  for (const { page, quote } of quotes) {
    expect(new QuotablePage(pages[page - 1] ?? '').find(quote)).not.toBeNull();
  }
  return { text: pieces.join('\n'), quotes, isUncertain };
}

const resume = [
  `Jane Doe
Berlin, Germany | +49 151 2345 6789 | jane.doe@example.com
linkedin.com/in/jane-doe

EXPERIENCE
Engineer at Nordwind, 03/2019 – 05/2023
Led a team of four who rebuilt the billing service for eleven countries.
2014-2018 studied in Hamburg

LANGUAGES
English (native)
German (B1)
Spanish (A2)`,
];

describe('a contact fact', () => {
  it.each([
    ['What is her phone number?', '+49 151 2345 6789'],
    ['how can I call her', '+49 151 2345 6789'],
    ['How could one phone the applicant?', '+49 151 2345 6789'],
    ['What is the email of the candidate?', 'jane.doe@example.com'],
    ["What's Jane's e-mail address?", 'jane.doe@example.com'],
    ['Does she have a LinkedIn page?', 'linkedin.com/in/jane-doe'],
  ])('%s is answered with its line', (question, fact) => {
    const { quotes } = answer(resume, question);
    expect(quotes).toHaveLength(1);
    expect(quotes[0]?.quote).toContain(fact);
  });

  it('belongs to the person or place in the question', () => {
    const pages = [
      'The service line answers at 0800 667 845 on working days.',
      'For orders, call the warehouse in Graz: +43 316 555 100.',
      FILLER,
      FILLER,
    ];
    expect(answer(pages, 'What is the phone number of the warehouse?').quotes).toEqual([
      { page: 2, quote: pages[1] },
    ]);
    expect(answer(pages, 'What is the phone number of the bishop?').quotes).toEqual([]);
  });

  it('is reported as missing when the document has none', () => {
    const { text, quotes } = answer(
      ['Signed on 12.03.2021 by Jane Doe. Studied 2014-2018.'],
      'What is her phone number?',
    );
    expect(quotes).toEqual([]);
    expect(text).toContain('it has no phone number that fits');
  });

  it('is not the answer to every question about a telephone', () => {
    const pages = ['The phone has a headphone jack. Its support line is 0800 667 845.'];
    expect(answer(pages, 'Does the phone have a headphone jack?').quotes[0]?.quote).toContain(
      'headphone jack',
    );
  });
});

describe('a question for a page', () => {
  const pages = Array.from({ length: 12 }, (_, at) => `This is sheet ${at + 1}. Gas is number ${at * 7}.`);

  it.each([
    ['What is on page 12?', [12]],
    ['what does page twelve say', [12]],
    ['Show me the last page', [12]],
    ['Summarise page 3', [3]],
    ['What do pages 2 to 4 say?', [2, 3, 4]],
    ['What does the second page say?', [2]],
  ])('%s is answered with the text of the page', (question, expected) => {
    expect(answer(pages, question).quotes).toEqual(
      expected.map((page) => ({ page, quote: pages[page - 1] })),
    );
  });

  it('about something on the page is answered from that page', () => {
    expect(answer(pages, 'What does page 3 say about gas?').quotes.map(({ page }) => page)).toEqual([3]);
  });

  it('is refused when the document has no such page', () => {
    expect(answer(pages, 'What is on page 40?').text).toContain('there is no page 40');
    expect(answer([...pages, ''], 'What is on page 13?').text).toContain('Page 13 has no text');
  });
});

describe('a question for a section', () => {
  const lease = [
    'LEASE\nContents\n1 Parties 2\n2 Rent 3\n3 Pets 4',
    '1 Parties\nThis lease is made between Marta Oduya and Tom Becker, who rents the flat on the third floor.',
    '2 Rent\nThe tenant pays 1,150 pounds a month.\n2.1 Payments that come late carry interest of 3 per cent.',
    '3 Pets\nOne cat may live in the flat if the landlord agrees. A small dog may, too, where the house allows it.',
    'Clause 4\nEither side may end this lease with two months of notice.',
    'The tenant leaves the rooms swept and hands back all keys.',
  ];

  it.each([
    ['What does section 3 say?', [4], 'One cat'],
    ['what is in chapter 2', [3], 'interest of 3 per cent'],
    ['Read me clause 2.1', [3], 'Payments that come late'],
    ['What is clause 4 about?', [5, 6], 'two months of notice'],
    ['§ 1', [2], 'Marta Oduya'],
  ])('%s is answered with the text of the section', (question, pages, words) => {
    const { text, quotes } = answer(lease, question);
    expect(quotes.map(({ page }) => page)).toEqual(pages);
    expect(text).toContain(words);
  });

  it('is answered up to the next section', () => {
    expect(answer(lease, 'What does section 1 say?').text).not.toContain('1,150');
    expect(answer(lease, 'What does section 3 say?').text).not.toMatch(/notice|keys/);
  });

  it('leads to a search if it asks for something in the section, or the section does not exist', () => {
    expect(answer(lease, 'Does section 3 allow a cat in the flat?').quotes[0]?.quote).toContain('One cat');
    expect(answer(lease, 'What does section 9 say?').text).not.toContain('Section 9 of');
  });
});

describe('a table of contents', () => {
  const contents = 'Contents\nSafety first 2\nDaily use 3\nCleaning the filter 4\nWarranty 6';
  const dotted = 'Cleaning the filter ........ 4\nWarranty . . . . . . . 6';
  const index = 'Index\nbearings, 2, 3\nfilter, cleaning of, 4\nvalves, 5–6\nwarranty, 6';
  const body = [
    'Never open the housing.',
    'Turn the wheel.',
    'Rinse the sieve once a year: cleaning keeps the filter free.',
  ];

  it.each([contents, dotted, index])('does not answer: %s', (listing) => {
    const pages = [listing, ...body, FILLER, FILLER];
    expect(answer(pages, 'How do I do the cleaning of the filter?').quotes.map(({ page }) => page)).toEqual([
      4,
    ]);
  });

  it('answers a question for the contents', () => {
    const { quotes } = answer([contents, ...body], 'What is in the table of contents?');
    expect(quotes[0]?.quote).toContain('Safety first 2');
  });

  it('is not a table of figures', () => {
    const figures = 'Sales of the shops\nOld Town 912\nHarbour 131\nStation 877\nMarket 204\nMill Street 66';
    expect(answer([figures, ...body], 'What are the sales of the harbour shop?').quotes[0]?.page).toBe(1);
  });
});

describe('quotations', () => {
  it('do not repeat, although passages share sentences', () => {
    const shared = 'The parrot sings of the parrot in the parrot house.';
    const page = `${FILLER.repeat(6)}The parrot eats. ${shared} The parrot sleeps. ${FILLER.repeat(6)}`;
    const { text } = answer([page], 'What of the parrot?');
    expect(text.split(shared)).toHaveLength(2);
  });

  it('are single lines of a list', () => {
    const { quotes } = answer(resume, 'Does she know German?');
    expect(quotes[0]?.quote).toContain('German (B1)');
  });
});

describe('a question about several documents', () => {
  const english = 'The contract of tenancy says that the rent is due on the third day of each month. '.repeat(
    3,
  );
  const german = 'Die Mühle am Bach gehört Frau Krämer, und sie mahlt dort seit vielen Jahren Mehl. '.repeat(
    3,
  );

  it('names the language of each document', () => {
    const french =
      'Le moulin au bord du ruisseau appartient à Madame Krämer, qui y moud la farine depuis longtemps. '.repeat(
        3,
      );
    const question = 'Who owns the old mill by the brook?';
    expect(answer([german, french], question, null, [0, 1]).text).toMatch(
      /is in German and French, and your question is in English\. .* of a document: ask in German or French\./,
    );
  });

  it('is in a foreign language only if no document is in its language', () => {
    const question = 'Wem gehört die Mühle?';
    expect(answer([english, german], question, null, [0, 1]).text).toMatch(/of your 2 documents/);
    expect(answer([english, english], question, null, [0, 1]).text).toMatch(
      /is in English, and your question/,
    );
  });
});

describe('a question for a price', () => {
  const pages = [
    'A spare jug is delivered with two seals and a lid; the jug holds 1.5 litres.',
    'A new filter costs 12 euros at the service desk.',
    FILLER,
  ];
  it('is not answered with a passage that names no sum', () => {
    for (const question of [
      'What is the price of a spare jug?',
      'How much does a spare jug cost?',
      'spare jug cost',
    ]) {
      const { text, isUncertain } = answer(pages, question);
      expect(isUncertain).toBe(true);
      expect(text).toMatch(
        /does not seem to be in `file\.pdf`[^]*Closest passages?, which do(?:es)? not answer it/,
      );
    }
  });

  it('is answered with the row of a table of prices', () => {
    const table = '| Bread | Price |\n| --- | --- |\n| Rye loaf | 3.20 |';
    expect(answer([FILLER, table], 'What is the price of a rye loaf?').isUncertain).toBeUndefined();
  });

  it('is answered with one that does', () => {
    expect(answer(pages, 'What does a new filter cost?')).toMatchObject({
      isUncertain: undefined,
      quotes: [{ page: 2 }],
    });
    expect(answer(pages, 'How many litres does the spare jug hold?').isUncertain).toBeUndefined();
  });
});

describe('the search by meaning', () => {
  it('finds a passage without a word of the question, shows the closest one, or reports that none is close', () => {
    const pages = ['The dog barks at night.', 'Remuneration is transferred monthly.', FILLER];
    const { passages } = indexPassages(pages);
    const axes = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    const vectors = new Map(
      passages.map((passage, at) => [
        vectorKey(embeddedText(passage)),
        Int8Array.from(axes[at] ?? [], (x) => x * 127),
      ]),
    );
    const asked = 'When do I get my money?';
    const meaning = (closest: number) => ({
      question: Int8Array.of(10, 120, 10),
      vectors,
      closeness: new Map(passages.map((passage, at) => [embeddedText(passage), at === 1 ? closest : 0.3])),
    });
    const found = { quotes: [{ page: 2, quote: pages[1] }] };
    expect(answer(pages, asked, meaning(0.7))).toMatchObject({ ...found, isUncertain: undefined });
    // The other passages are nearly as close, and are not quoted.
    const near = answer(pages, asked, meaning(0.35));
    expect(near).toMatchObject({ ...found, isUncertain: true });
    expect(near.text).toMatch(
      /does not seem to be in `file\.pdf`.*\n\n\*\*Closest passage, which does not answer it:\*\*\n> “Remuner/,
    );
    const none = answer(pages, asked, meaning(0.3));
    expect(none).toMatchObject({ quotes: [], isUncertain: undefined });
    expect(none.text).toContain('no passage says anything close to it');
  });
});
