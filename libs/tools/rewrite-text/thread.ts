import { shortenText } from '#libs/local-engine/rewriting/shorten-text.js';
import { compareFacts, type FactBreak } from '#libs/local-engine/text/facts/facts.js';
import { plainOf } from '#libs/local-engine/text/facts/plain.js';
import { isEnglish } from '#libs/local-engine/text/language.js';
import { seemsEnglish } from '#libs/local-engine/text/seems-english.js';
import type { RewriteAction } from './contract.js';

// The entry of a text thread (see thread-pool.ts): each exported function is a task.

/** In words. Language detection is unreliable below, so shorter passages are refused only if clearly not English. */
const FEWEST_WORDS = 25;

export function readsEnglish({ text }: { text: string }): boolean {
  const { plain } = plainOf(text);
  return plain.split(/\s+/u).length < FEWEST_WORDS ? seemsEnglish(plain) : isEnglish(plain);
}

export const shorten = ({ text }: { text: string }): string | null => shortenText(text);

interface Comparison {
  action: RewriteAction;
  /** The original passage; for a continuation, with the text around the passage. */
  before: string;
  after: string;
}

export function compare({ action, before, after }: Comparison): FactBreak[] {
  if (action === 'translate') return compareTranslation(before, after);
  const breaks = compareFacts(before, after);
  return action === 'continue' ? breaks.filter(({ change }) => change === 'added') : breaks;
}

/** Compares only links, code and figures, because a translation may change spelled numbers, names and quotations. */
function compareTranslation(before: string, after: string): FactBreak[] {
  const kept = compareFacts(before, after).filter(({ kind }) => kind === 'link' || kind === 'code');
  const [old, fresh] = [figuresIn(before), figuresIn(after)];
  const missing = (of: string[], from: string[], change: FactBreak['change']): FactBreak[] =>
    [...new Set(of)]
      .filter((figure) => !from.includes(figure))
      .map((text) => ({ kind: 'number', change, text }));
  return [...missing(old, fresh, 'lost'), ...missing(fresh, old, 'added'), ...kept];
}

/** The numbers in digits, without thousands separators, because languages write 1,234.5 or 1.234,5. */
const figuresIn = (text: string): string[] =>
  text
    .normalize('NFKC')
    .replace(/(?<=\d)[.,'’ ](?=\d{3}(?!\d))/gu, '')
    .match(/\d+/gu) ?? [];
