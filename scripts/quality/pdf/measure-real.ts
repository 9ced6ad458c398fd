import { readPdfPages } from '#libs/documents/read-pdf-pages.js';
import { answerOffline } from '#libs/local-engine/pdf-search/answer.js';
import { indexPassages, type PassageIndex } from '#libs/local-engine/pdf-search/search.js';
import { makePdf } from '../../../test/support/pdf.ts';
import { embedPages, meaningOf, type Model, type Vectors } from './meaning.ts';
import type { Share } from './measure.ts';
import { pagesOf, type RealDocument } from './real-documents.ts';
import { answerable, hard, unanswerable, type RealQuestion } from './real-questions.ts';

export interface RealQuality {
  /** A page with the answer is the first that is quoted. */
  pageAt1: Share;
  /** The same for questions without a word in common with the answer. */
  hardAt1: Share;
  /** Of both, such a page is the first that is shown, as an answer or as what comes closest. */
  shownAt1: Share;
  /** It is told that the document has no answer. */
  refused: Share;
  misses: string[];
}

interface Read {
  pages: string[];
  index: PassageIndex;
  vectors: Vectors;
}

const never = new AbortController().signal;

/**
 * Asks about real documents. Every other question was used to choose the thresholds; the others are reported.
 */
export async function measureReal(model: Model): Promise<{ tuning: RealQuality; reported: RealQuality }> {
  const read = new Map<RealDocument, Read>();
  for (const { document } of answerable) {
    if (!read.has(document)) read.set(document, await readDocument(document, model));
  }
  const half = async (which: number): Promise<RealQuality> => {
    const chosen = (_: RealQuestion, at: number) => at % 2 === which;
    const misses: string[] = [];
    const shown: Share = { of: 0, hits: 0 };
    const count = async (questions: RealQuestion[]): Promise<Share> => {
      let hits = 0;
      for (const each of questions) {
        const { isRight, isShown, got } = await ask(each, read.get(each.document)!, model);
        if (each.answers !== null) shown.of += 1;
        if (isShown) shown.hits += 1;
        if (isRight) hits += 1;
        else misses.push(`${each.document.name}: ${each.question} — got ${got}`);
      }
      return { of: questions.length, hits };
    };
    return {
      pageAt1: await count(answerable.filter(chosen)),
      hardAt1: await count(hard.filter(chosen)),
      shownAt1: shown,
      refused: await count(unanswerable.filter(chosen)),
      misses,
    };
  };
  return { tuning: await half(0), reported: await half(1) };
}

async function readDocument(document: RealDocument, model: Model): Promise<Read> {
  const pages = await readPdfPages(await makePdf(pagesOf(document), { fontSize: 9 }), { signal: never });
  return { pages, index: indexPassages(pages), vectors: await embedPages(pages, model) };
}

async function ask(
  { question, answers }: RealQuestion,
  { pages, index, vectors }: Read,
  model: Model,
): Promise<{ isRight: boolean; isShown: boolean; got: string }> {
  const asked = { question, history: [], fileName: 'a.pdf', pages };
  const meaning = await meaningOf(asked, vectors, model);
  const { quotes, isUncertain = false } = answerOffline(index, { ...asked, meaning });
  const page = quotes[0]?.page;
  const isRefused = page === undefined || isUncertain;
  const got = `${isRefused ? 'not there' : ''}${page && isUncertain ? ', closest ' : ''}${page ? `page ${page}` : ''}`;
  if (answers === null) return { isRight: isRefused, isShown: false, got };
  const wanted = answers.flatMap((answer) => {
    const said = pages.flatMap((text, at) => (flat(text).includes(flat(answer)) ? [at + 1] : []));
    if (said.length === 0) throw new Error(`The document does not say “${answer}”.`);
    return said;
  });
  const isShown = page !== undefined && wanted.includes(page);
  return { isRight: isShown && !isUncertain, isShown, got };
}

const flat = (text: string) => text.replace(/[\s"*-]+/g, '').toLowerCase();
