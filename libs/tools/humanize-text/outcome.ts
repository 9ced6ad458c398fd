import { countFacts } from '#libs/text/facts/facts.js';
import { plainOf } from '#libs/text/facts/plain.js';
import { isEnglish } from '#libs/text/is-english.js';
import { readingEase } from '#libs/text/readability.js';
import type { ToolOutcome } from '#libs/jobs/tool-handler.js';
import type { EngineName } from '#libs/contract/engine-name.js';
import type { Change } from './contract.js';

export const nothingToRewrite =
  'There is no running text in this: headings, tables, quotations and code are kept as they are.';

/** What a finished run leaves, with what was counted in its text. */
export function outcome(
  before: string,
  content: string,
  engine: EngineName,
  changes: Change[],
  notice: string | null,
): ToolOutcome<'humanize-text'> {
  const counted = countFacts(content);
  return {
    result: {
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
    },
    creation: { type: 'humanized-text', prompt: before, content },
  };
}

function readabilityOf(before: string, after: string): ToolOutcome<'humanize-text'>['result']['readability'] {
  const [old, fresh] = [plainOf(before).plain, plainOf(after).plain];
  if (!isEnglish(old)) return null;
  const [from, to] = [readingEase(old), readingEase(fresh)];
  return from === null || to === null ? null : { scale: 'Flesch reading ease', before: from, after: to };
}
