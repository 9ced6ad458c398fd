import { countFacts } from '#libs/local-engine/text/facts/facts.js';
import { plainOf } from '#libs/local-engine/text/facts/plain.js';
import { isEnglish } from '#libs/local-engine/text/language.js';
import { readingEase } from '#libs/local-engine/text/readability.js';
import type { EngineName } from '#libs/contract/engine.js';
import type { Change, HumanizeOutput } from '#libs/tools/humanize-text/contract.js';

/** A result before it is proofread. */
export type HumanizedText = Omit<HumanizeOutput, 'proofreading' | 'model'>;

export const nothingToRewrite =
  'There is no running text in this: headings, tables, quotations and code are kept as they are.';

export function humanizedResult(
  before: string,
  content: string,
  engine: EngineName,
  changes: Change[],
  notice: string | null,
): HumanizedText {
  const counted = countFacts(content);
  return {
    content,
    engine,
    readability: readabilityOf(before, content),
    changes,
    facts: {
      numbers: counted.number,
      names: counted.name,
      links: counted.link,
      quotations: counted.quotation,
      code: counted.code,
    },
    notice,
  };
}

function readabilityOf(before: string, after: string): HumanizeOutput['readability'] {
  const [old, fresh] = [plainOf(before).plain, plainOf(after).plain];
  if (!isEnglish(old)) return null;
  const from = readingEase(old);
  const to = fresh === old ? from : readingEase(fresh);
  return from === null || to === null ? null : { scale: 'Flesch reading ease', before: from, after: to };
}
