import { cardinalWords, ordinals, readNumber } from '#libs/local-engine/text/spelled-numbers.js';

const NUMBER = String.raw`(\d{1,5}|${cardinalWords})\b`;

const NUMBERED = new RegExp(
  String.raw`\b(?:pages?|pp?\.|seiten?|página|pagina)\s*(?:no\.?|number)?\s*${NUMBER}(?:\s*(?:-|–|to|and|through|until|bis)\s*(?:page\s*)?${NUMBER})?`,
  'iu',
);
const NAMED = new RegExp(
  String.raw`\b(?:the\s+)?(${[...ordinals.keys()].slice(1).join('|')}|last|final|\d{1,5}(?:st|nd|rd|th))\s+page\b`,
  'iu',
);

/** Words of a question about a page or section that do not name a subject. */
const FRAME =
  /\b(?:what|what's|whats|which|is|are|was|does|do|did|say|says|said|state|states|contain|contains|written|write|there|it|the|a|on|of|at|in|from|me|show|read|quote|tell|give|text|content|contents|stands?|appears?|find|found|please|can|could|you|about|and|summari[sz]e|summary|describe|explain|whole|entire|was|steht|auf|der|die)\b/giu;

export interface PageQuestion {
  first: number;
  last: number;
  /** True if the question asks for the whole page, and not for something on it. */
  isWhole: boolean;
}

/** The pages that a question names; null if it names none. */
export function parsePageQuestion(question: string, pageCount: number): PageQuestion | null {
  const numbered = NUMBERED.exec(question);
  const named = numbered ? null : NAMED.exec(question);
  const match = numbered ?? named;
  if (!match) return null;
  const first = numbered ? readNumber(numbered[1] ?? '') : toOrdinal(match[1] ?? '', pageCount);
  const last = numbered?.[2] === undefined ? first : readNumber(numbered[2]);
  const isWhole = asksForWhole(question, match[0]);
  return { first: Math.min(first, last), last: Math.max(first, last), isWhole };
}

/** True if a question asks for the whole page or section that it names, and not for something in it. */
export const asksForWhole = (question: string, named: string): boolean =>
  !/[\p{L}\p{N}]/u.test(question.replace(named, ' ').replace(FRAME, ' '));

function toOrdinal(text: string, pageCount: number): number {
  if (/^(?:last|final)$/i.test(text)) return pageCount;
  return Number.parseInt(text, 10) || (ordinals.get(text.toLowerCase()) ?? 0);
}
