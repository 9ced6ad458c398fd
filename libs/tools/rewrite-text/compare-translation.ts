import { compareFacts, type FactBreak } from '#libs/local-engine/text/facts/facts.js';

/** Compares links, code and figures, which are the same in every language. Spelled numbers, names and quotations may change. */
export function compareTranslation(before: string, after: string): FactBreak[] {
  const kept = compareFacts(before, after).filter(({ kind }) => kind === 'link' || kind === 'code');
  const [old, fresh] = [figuresIn(before), figuresIn(after)];
  const missing = (of: string[], from: string[], change: FactBreak['change']): FactBreak[] =>
    [...new Set(of)]
      .filter((figure) => !from.includes(figure))
      .map((text) => ({ kind: 'number', change, text }));
  return [...missing(old, fresh, 'lost'), ...missing(fresh, old, 'added'), ...kept];
}

/** Runs of digits, without separators of thousands, since languages write 1,234.5 or 1.234,5. */
const figuresIn = (text: string): string[] =>
  text
    .normalize('NFKC')
    .replace(/(?<=\d)[.,'’ ](?=\d{3}(?!\d))/gu, '')
    .match(/\d+/gu) ?? [];
