import type { Citation } from '#libs/contract/pdf-chats.js';
import {
  labelOf,
  pageMark,
  placeOfPage,
  type PageLabels,
} from '#libs/local-engine/pdf-questions/page-labels.js';
import { QuotablePage } from '#libs/local-engine/text/find-quote.js';

export interface CheckedAnswer {
  /** The answer, with the correct page for every quotation. */
  content: string;
  /** Each quotation once, in the order of the answer. */
  citations: Citation[];
  /** The number of quotations that the document does not contain. */
  dropped: number;
}

export interface CheckOptions {
  pages: string[];
  labels?: PageLabels;
  /** The answer may repeat its words in quotation marks. */
  question: string;
  /** The pages in the prompt; a page mark without a quotation must name one of these. */
  given: ReadonlySet<number>;
}

/** The page mark `[p. 3]`, and variants that models write. */
const MARK = String.raw`[[(（【]\s*(?:pp?|pages?|s|seiten?|第)\.?\s*(\d{1,5})(?:\s*[-–,&]\s*(?:pp?\.\s*)?\d{1,5})*\s*(?:页|頁)?\s*[\])）】]`;
const QUOTED = String.raw`"([^"\n]+)"|“([^“”\n]+)”|„([^„“”\n]+)[“”]|«([^«»\n]+)»|「([^「」\n]+)」`;
const QUOTATION = new RegExp(`(?:${QUOTED})(?:(?:\\s*[.,;:])?\\s*${MARK})?`, 'giu');
const LONE_MARK = new RegExp(`\\s?${MARK}`, 'giu');
const TRAILING_MARK = new RegExp(`\\s*[—–-]?\\s*${MARK}\\s*$`, 'iu');

/** A mark with a printed number: `[p. iii]`. */
const LABEL_MARK = /[[(（【]\s*(?:pp?|pages?|s|seiten?)\.?\s*([^[\]()（）【】\n]{1,40}?)\s*[\])）】]/giu;

/** Replaces printed numbers in page marks by places in the file. */
function withPlaces(answer: string, labels: PageLabels): string {
  if (!labels) return answer;
  return answer.replace(LABEL_MARK, (mark: string, text: string) => {
    const page = placeOfPage(text, labels);
    return page !== null ? `[p. ${page}]` : mark;
  });
}

/** Shorter quotations are often terms or emphasis. */
const MIN_QUOTED_WORDS = 3;

/**
 * Looks up every quotation of an answer in the document. A quotation from another page than its mark names gets the
 * correct page; a missing quotation loses its quotation marks and its page mark, and is counted. A mark without a
 * quotation stays only if the page was in the prompt.
 */
export function checkAnswer(
  answer: string,
  { pages, labels = null, question, given }: CheckOptions,
): CheckedAnswer {
  const quotable = pages.map((page) => new QuotablePage(page));
  const asked = new QuotablePage(question);
  const allPages = pages.map((_, index) => index + 1);
  const citations: Citation[] = [];
  let dropped = 0;

  /** Finds a quotation, preferably on the page of its mark, and records it. */
  const locate = (quotation: string, named: number | null): Citation | null => {
    for (const page of new Set([...(named === null ? [] : [named]), ...given, ...allPages])) {
      const quote = quotable[page - 1]?.find(quotation);
      if (!quote) continue;
      const label = labelOf(page, labels);
      const citation = { page, ...(label !== null && { label }), quote };
      if (!citations.some((other) => other.page === page && other.quote === quote)) citations.push(citation);
      return citation;
    }
    return null;
  };

  /** Replaces checked text by a placeholder, so that its marks are not checked again. */
  const settled: string[] = [];
  const settle = (text: string) => `\u0000${settled.push(text) - 1}\u0000`;

  const checkInline = (text: string) =>
    text
      .replace(QUOTATION, (whole: string, ...groups: unknown[]) => {
        const quotation =
          groups.slice(0, 5).find((group): group is string => typeof group === 'string') ?? '';
        const named = typeof groups[5] === 'string' ? Number(groups[5]) : null;
        const isShort =
          named === null &&
          quotation.split(/\s+/).length < MIN_QUOTED_WORDS &&
          !/[\u3400-\u9fff]{6}/u.test(quotation);
        if (isShort) {
          if (asked.find(quotation) || quotable.some((page) => page.find(quotation))) return whole;
          return quotation;
        }
        const found = locate(quotation, named);
        if (found) return settle(`“${quotation}” ${pageMark(found.page, labels)}`);
        if (named === null && asked.find(quotation)) return whole;
        dropped += 1;
        return quotation;
      })
      .replace(LONE_MARK, (whole: string, page: string) =>
        given.has(Number(page))
          ? settle(`${/^\s/.test(whole) ? ' ' : ''}${pageMark(Number(page), labels)}`)
          : '',
      );

  const checkBlock = (lines: string[]) => {
    const text = lines
      .map((line) => line.replace(/^\s*>\s?/, ''))
      .join(' ')
      .trim();
    const named = TRAILING_MARK.exec(text)?.[1];
    const quotation = text.replace(TRAILING_MARK, '').replace(/^["“„«]|["”“»]$/g, '');
    const found = locate(quotation, named === undefined ? null : Number(named));
    if (found) return settle(`> “${quotation}” ${pageMark(found.page, labels)}`);
    // Several quotations, or the model's words around one.
    if (new RegExp(QUOTED, 'u').test(text)) return checkInline(lines.join('\n'));
    dropped += 1;
    return quotation;
  };

  const content = blocksOf(withPlaces(answer.replaceAll('\u0000', ''), labels))
    .map((block) => (block.quoted ? checkBlock(block.lines) : checkInline(block.lines.join('\n'))))
    .join('\n')
    // eslint-disable-next-line no-control-regex -- the placeholders above
    .replace(/\u0000(\d+)\u0000/g, (_, index: string) => settled[Number(index)] ?? '')
    .trim();
  return { content, citations, dropped };
}

function blocksOf(text: string): { quoted: boolean; lines: string[] }[] {
  const blocks: { quoted: boolean; lines: string[] }[] = [];
  for (const line of text.split('\n')) {
    const quoted = /^\s*>/.test(line);
    const last = blocks.at(-1);
    if (last?.quoted === quoted) last.lines.push(line);
    else blocks.push({ quoted, lines: [line] });
  }
  return blocks;
}
