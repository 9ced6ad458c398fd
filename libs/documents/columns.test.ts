import { expect, it } from '@jest/globals';
import { makePdf, type PdfPage } from '../../test/support/pdf.ts';
import { openPdf } from './read-pdf-pages.js';

const signal = new AbortController().signal;

const aside = `CONTACT
Berlin
jane@example.com
+49 151 2345 6789

SKILLS
TypeScript
PostgreSQL
Kubernetes
Terraform

LANGUAGES
English (native)
German (B1)`;

const story = `EXPERIENCE
Engineer at Nordwind, 2019 to 2023
Led a team of four who rebuilt the billing service for eleven countries, and cut the time of the monthly run from nine hours to forty minutes.

Developer at Nordpost, 2015 to 2019
Maintained the label printing of three hundred shops and moved it from one large server to a queue with many workers.

EDUCATION
BSc Computer Science, Uppsala University
A thesis on the scheduling of trams.`;

const jobs = Array.from({ length: 9 }, (_, at) => [
  `Engineer at company number ${at}`,
  `${2001 + at} - ${2002 + at}`,
]);

const columnsOf = async (pages: PdfPage[]) => {
  const pdf = await openPdf(await makePdf(pages), { signal });
  await pdf.close();
  return pdf.columns;
};

it.each<[string, PdfPage]>([
  ['a resume with a column at its side', { heading: 'Jane Doe', columns: [aside, story] }],
  ['the same the other way round', { heading: 'Jane Doe', columns: [story, aside] }],
  ['a paper', { heading: 'On trams', text: 'By Jane Doe', columns: [story.repeat(2), story.repeat(2)] }],
])('finds the columns of %s', async (_, page) => {
  expect(await columnsOf([{ text: story }, page])).toEqual([2]);
});

it.each<[string, PdfPage]>([
  ['text in one column', { text: `${story}\n\n${aside}` }],
  ['jobs with their years at the right margin', { text: story, table: jobs }],
  [
    'a table',
    {
      text: 'Skills',
      table: Array.from({ length: 12 }, (_, at) => [
        `Technology ${at}`,
        `Used for ${at} years`,
        `Level ${at}`,
      ]),
    },
  ],
  [
    'a table alone',
    { table: Array.from({ length: 20 }, (_, at) => [`A cell of words ${at}`, `Another cell ${at}`]) },
  ],
  ['an empty page', {}],
])('finds none in %s', async (_, page) => {
  expect(await columnsOf([{ text: story }, page])).toEqual([]);
});
