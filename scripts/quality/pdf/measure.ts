import { createHash } from 'node:crypto';
import { readPdfPages } from '#libs/documents/read-pdf-pages.js';
import { answerOffline } from '#libs/local-engine/pdf-search/answer.js';
import { chooseExcerpts } from '#libs/local-engine/pdf-search/choose-passages.js';
import { indexPassages, type PassageIndex } from '#libs/local-engine/pdf-search/search.js';
import { queryOf } from '#libs/local-engine/pdf-search/question.js';
import { makePdf } from '../../../test/support/pdf.ts';
import { documents, questions, type QualityDocument, type Question } from './documents.ts';
import { embedPages, meaningOf, type Model, type Vectors } from './meaning.ts';

export interface Share {
  of: number;
  hits: number;
}

export interface PdfQuality {
  /** The first quoted page has the answer. */
  pageAt1: Share;
  /** A quoted page, of at most three, has the answer. */
  pageAt3: Share;
  /** Unanswerable questions recognised as such. */
  refused: Share;
  /** Answerable questions without an answer. */
  refusedWrongly: Share;
  /** With room for a quarter of the document, the excerpts for the model include the page with the answer. */
  pageInPrompt: Share;
  /** Questions with a wrong answer, and that answer. */
  misses: string[];
}

const never = new AbortController().signal;

/** Asks all questions about PDFs of the documents, without an AI service, and chooses the excerpts for a model. */
export async function measurePdf(model: Model = null): Promise<PdfQuality> {
  const indexed = new Map<QualityDocument, { pages: string[]; index: PassageIndex; vectors: Vectors }>();
  for (const document of documents) {
    const pages = await readPdfPages(await toPdf(document), { signal: never });
    indexed.set(document, { pages, index: indexPassages(pages), vectors: await embedPages(pages, model) });
  }
  const misses: string[] = [];
  const answers = [];
  for (const question of questions) {
    const { pages, index, vectors } = indexed.get(question.document)!;
    const history = question.before ? [{ role: 'user' as const, content: question.before }] : [];
    const asked = { question: question.question, history, fileName: 'a.pdf', pages, labels: null };
    const meaning = await meaningOf(asked, vectors, model);
    const answer = answerOffline(index, { ...asked, meaning });
    const cited = answer.isUncertain ? [] : [...new Set(answer.quotes.map(({ page }) => page))];
    if (question.page === null ? cited.length > 0 : cited[0] !== question.page)
      misses.push(missOf(question, cited));
    const excerpts = chooseExcerpts(index, { ...queryOf(index, asked), isAboutWhole: false, meaning }, 500);
    answers.push({ ...question, cited, given: excerpts.map(({ page }) => page) });
  }
  const answerable = answers.filter(({ page }) => page !== null);
  const unanswerable = answers.filter(({ page }) => page === null);
  return {
    pageAt1: share(answerable, ({ page, cited }) => cited[0] === page),
    pageAt3: share(answerable, ({ page, cited }) => page !== null && cited.includes(page)),
    refused: share(unanswerable, ({ cited }) => cited.length === 0),
    refusedWrongly: share(answerable, ({ cited }) => cited.length === 0),
    pageInPrompt: share(answerable, ({ page, given }) => page !== null && given.includes(page)),
    misses,
  };
}

const share = <T>(items: T[], holds: (item: T) => boolean): Share => ({
  of: items.length,
  hits: items.filter(holds).length,
});

const missOf = ({ document, question, page }: Question, cited: number[]) =>
  `${document.name}: ${question} — ${page === null ? 'not there' : `page ${page}`}, got ${cited.length > 0 ? `page ${cited.join(', ')}` : 'not there'}`;

const toPdf = ({ pages, footer }: QualityDocument) =>
  makePdf(pages.map(({ heading, text }, at) => ({ heading, text: `${text}\n\n${footer} ${at + 1}` })));

/** Time and memory of a 300-page PDF, from its bytes to a search, in a process of its own. */
export async function measureLongPdf(): Promise<{
  pages: number;
  megabytes: number;
  readMs: number;
  searchMs: number;
  peakMb: number;
}> {
  const words = questions
    .map(({ question }) => question)
    .concat(questions.map(({ document }) => document.pages[0]!.text));
  const pages = Array.from({ length: 300 }, (_, at) => {
    const pick = (n: number) =>
      words[createHash('md5').update(`${at} ${n}`).digest().readUInt16LE(0) % words.length]!;
    return `Section ${at + 1}\n${Array.from({ length: 12 }, (__, n) => pick(n))
      .join(' ')
      .slice(0, 2_500)}`;
  });
  const pdf = await makePdf(pages);
  globalThis.gc?.();
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  const started = performance.now();
  const read = await readPdfPages(pdf, { signal: never });
  const readAt = performance.now();
  const index = indexPassages(read);
  index.search('Where do I find the serial number?');
  const ended = performance.now();
  clearInterval(watch);
  return {
    pages: read.length,
    megabytes: pdf.length / 2 ** 20,
    readMs: readAt - started,
    searchMs: ended - readAt,
    peakMb: Math.max(peak, process.memoryUsage.rss()) / 2 ** 20,
  };
}
