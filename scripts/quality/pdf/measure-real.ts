import { readPdfPages } from '#libs/documents/read-pdf-pages.js';
import { answerOffline } from '#libs/local-engine/pdf-search/answer.js';
import { indexPassages, type PassageIndex } from '#libs/local-engine/pdf-search/search.js';
import { makePdf } from '../../../test/support/pdf.ts';
import { embedPages, meaningOf, type Model, type Vectors } from './meaning.ts';
import type { Share } from './measure.ts';
import {
  answerable,
  hard,
  pagesOf,
  unanswerable,
  type RealDocument,
  type RealQuestion,
} from './real-documents.ts';

export interface RealQuality {
  /** Questions whose first quote is from a page with the answer. */
  pageAt1: Share;
  /** `pageAt1` among questions without a word in common with the answer. */
  hardAt1: Share;
  /** Both kinds of questions where such a page comes first, as an answer or as the closest passage. */
  foundAt1: Share;
  /** Unanswerable questions recognised as such. */
  refused: Share;
  misses: string[];
}

interface IndexedDocument {
  pages: string[];
  index: PassageIndex;
  vectors: Vectors;
}

const never = new AbortController().signal;

/** Asks about real documents. Every second question was used to choose the thresholds; the others are reported. */
export async function measureReal(model: Model): Promise<{ tuning: RealQuality; reported: RealQuality }> {
  const indexed = new Map<RealDocument, IndexedDocument>();
  for (const { document } of answerable) {
    if (!indexed.has(document)) indexed.set(document, await indexDocument(document, model));
  }
  const half = async (which: number): Promise<RealQuality> => {
    const chosen = (_: RealQuestion, at: number) => at % 2 === which;
    const misses: string[] = [];
    const found: Share = { of: 0, hits: 0 };
    const count = async (questions: RealQuestion[]): Promise<Share> => {
      let hits = 0;
      for (const each of questions) {
        const { isRight, isFound, got } = await ask(each, indexed.get(each.document)!, model);
        if (each.answers !== null) found.of += 1;
        if (isFound) found.hits += 1;
        if (isRight) hits += 1;
        else misses.push(`${each.document.name}: ${each.question} — got ${got}`);
      }
      return { of: questions.length, hits };
    };
    return {
      pageAt1: await count(answerable.filter(chosen)),
      hardAt1: await count(hard.filter(chosen)),
      foundAt1: found,
      refused: await count(unanswerable.filter(chosen)),
      misses,
    };
  };
  return { tuning: await half(0), reported: await half(1) };
}

async function indexDocument(document: RealDocument, model: Model): Promise<IndexedDocument> {
  const pages = await readPdfPages(await makePdf(pagesOf(document), { fontSize: 9 }), { signal: never });
  return { pages, index: indexPassages(pages), vectors: await embedPages(pages, model) };
}

async function ask(
  { question, answers }: RealQuestion,
  { pages, index, vectors }: IndexedDocument,
  model: Model,
): Promise<{ isRight: boolean; isFound: boolean; got: string }> {
  const asked = { question, history: [], fileName: 'a.pdf', pages, labels: null };
  const meaning = await meaningOf(asked, vectors, model);
  const { quotes, isUncertain = false } = answerOffline(index, { ...asked, meaning });
  const page = quotes[0]?.page;
  const isRefused = page === undefined || isUncertain;
  const got = `${isRefused ? 'not there' : ''}${page && isUncertain ? ', closest ' : ''}${page ? `page ${page}` : ''}`;
  if (answers === null) return { isRight: isRefused, isFound: false, got };
  const expected = answers.flatMap((answer) => {
    const matching = pages.flatMap((text, at) =>
      normalize(text).includes(normalize(answer)) ? [at + 1] : [],
    );
    if (matching.length === 0) throw new Error(`The document does not contain “${answer}”.`);
    return matching;
  });
  const isFound = page !== undefined && expected.includes(page);
  return { isRight: isFound && !isUncertain, isFound, got };
}

const normalize = (text: string) => text.replace(/[\s"*-]+/g, '').toLowerCase();
