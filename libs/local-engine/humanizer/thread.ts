import { compareFacts, type FactBreak } from '#libs/local-engine/text/facts/facts.js';
import { plainOf } from '#libs/local-engine/text/facts/plain.js';
import { isEnglish } from '#libs/local-engine/text/language.js';
import { isOneParagraph } from '#libs/local-engine/text/prose.js';
import type { ProgressPort } from '#libs/local-engine/threads/thread-pool.js';
import { countWords, type Change } from '#libs/tools/humanize-text/contract.js';
import { createEditor, countChanges, type EditedParagraph } from './editor.js';
import { humanizedResult, nothingToRewrite, type HumanizedText } from './result.js';
import { linesOf, partsOf, type Part } from './parts.js';
import { createPartAssembler } from './part-assembler.js';

// The entry of a text thread (see thread-pool.ts): each exported function is a task.

const notEnglish = 'This server edits English only, so what is in another language is as you wrote it.';
const nothingFound =
  'No stock phrase, long form or over-long sentence was found, so the text is as you wrote it.';

/** The next piece of the text, and the number of finished parts. */
export interface EditedPart {
  piece: string;
  filled: number;
  total: number;
}

export function edit({
  text,
  kinds,
  port,
}: {
  text: string;
  kinds?: Change['kind'][];
  port: ProgressPort<EditedPart>;
}): HumanizedText {
  const parts = partsOf(text);
  const wholeIsEnglish = isEnglish(plainOf(text).plain);
  const editParagraph = createEditor(kinds);
  const changes: EditedParagraph['changes'] = [];
  let foreign = 0;
  const assembler = createPartAssembler(text, parts, (piece, filled) => {
    port.postMessage({ piece, filled, total: parts.length });
  });
  for (const part of parts) {
    const paragraph = text.slice(part.prose.start, part.prose.end);
    // The language of a few words cannot be detected, so the language of the whole text counts.
    const english = countWords(paragraph) < 8 ? wholeIsEnglish : isEnglish(plainOf(paragraph).plain);
    const edited = english ? editParagraph(paragraph) : { text: paragraph, changes: [] };
    if (!english) foreign += 1;
    changes.push(...edited.changes);
    assembler.fill(part.number, edited.text);
  }
  const notice = noticeFor(parts.length, foreign, changes.length);
  return humanizedResult(text, assembler.close(), 'offline', countChanges(changes), notice);
}

export const read = ({ text }: { text: string }): Part[] => linesOf(text);

/**
 * Compares parts of the text before and after a model rewrote them. A rewriting is usable if no fact is broken and if it is one
 * paragraph of similar length.
 */
export const check = ({ rewritings }: { rewritings: { before: string; after: string }[] }) =>
  rewritings.map(({ before, after }): { breaks: FactBreak[]; keepsForm: boolean } =>
    hasSimilarLength(before, after)
      ? { breaks: compareFacts(before, after), keepsForm: isOneParagraph(after) }
      : { breaks: [], keepsForm: false },
  );

function hasSimilarLength(before: string, after: string): boolean {
  const [old, rewritten] = [countWords(before), countWords(after)];
  const isSimilar = rewritten <= old * 2 + 10 && rewritten * 3 + 5 >= old;
  return isSimilar && after.length <= before.length * 4 + 400;
}

export const finish = ({ before, content }: { before: string; content: string }) =>
  humanizedResult(before, content, 'openai', [], null);

function noticeFor(parts: number, foreign: number, changes: number): string | null {
  if (parts === 0) return nothingToRewrite;
  if (foreign > 0) return notEnglish;
  return changes === 0 ? nothingFound : null;
}
