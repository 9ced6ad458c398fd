import { plainOf } from '#libs/local-engine/text/facts/plain.js';
import { isEnglish } from '#libs/local-engine/text/is-english.js';
import type { ProgressPort } from '#libs/local-engine/threads/thread-pool.js';
import type { ToolOutput } from '#libs/tools/catalogue.js';
import { countWords } from '#libs/tools/humanize-text/contract.js';
import { createEditor, countChanges, type EditedParagraph } from './editor.js';
import { humanizedResult, nothingToRewrite } from './result.js';
import { partsOf } from './parts.js';
import { createPartAssembler } from './part-assembler.js';

// The entry of a text thread (see thread-pool.ts): each exported function is a task.

const notEnglish =
  'The offline engine edits English only, so what is in another language is as you wrote it. For other languages, connect an AI service.';
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
  port,
}: {
  text: string;
  port: ProgressPort<EditedPart>;
}): ToolOutput<'humanize-text'> {
  const parts = partsOf(text);
  const wholeIsEnglish = isEnglish(plainOf(text).plain);
  const editParagraph = createEditor();
  const changes: EditedParagraph['changes'] = [];
  let foreign = 0;
  const assembler = createPartAssembler(text, parts, (piece, filled) => {
    port.postMessage({ piece, filled, total: parts.length });
  });
  for (const part of parts) {
    const paragraph = text.slice(part.prose.start, part.prose.end);
    // A few words are too short to detect a language, so that of the whole text is used.
    const english = countWords(paragraph) < 8 ? wholeIsEnglish : isEnglish(plainOf(paragraph).plain);
    const edited = english ? editParagraph(paragraph) : { text: paragraph, changes: [] };
    if (!english) foreign += 1;
    changes.push(...edited.changes);
    assembler.fill(part.number, edited.text);
  }
  const notice = noticeFor(parts.length, foreign, changes.length);
  return humanizedResult(text, assembler.close(), 'offline', countChanges(changes), notice);
}

function noticeFor(parts: number, foreign: number, changes: number): string | null {
  if (parts === 0) return nothingToRewrite;
  if (foreign > 0) return notEnglish;
  return changes === 0 ? nothingFound : null;
}
