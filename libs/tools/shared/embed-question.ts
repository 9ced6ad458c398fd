import type { EmbeddedQuestion } from '#libs/documents/passage-embedder.js';
import type { RunContext } from '#libs/jobs/tool-handler.js';
import type { AskedQuestion } from '#libs/local-engine/pdf-search/question.js';
import type { Meaning } from '#libs/local-engine/pdf-search/search.js';
import type { PassagesToEmbed } from '#libs/local-engine/pdf-search/thread.js';
import type { Direction } from '#libs/local-engine/pdf-search/vectors.js';
import { isInLatinLetters } from '#libs/local-engine/pdf-search/tokens.js';
import { hasModel, unlessUnavailable } from './local-model.js';
import { onSearchThread } from './search-thread.js';

/** A document that a question is about. */
export interface EmbeddedDocument {
  id: string;
  pages: string[];
}

/** The job's progress while passages are embedded. */
interface Percents {
  from: number;
  to: number;
}

/** Milliseconds for all documents together. Then the rest of the passages is embedded in the background. */
const WAIT_MS = 2_500;
/** The documents' writing system is detected in the first 100 passages. */
const SCRIPT_SAMPLE_PASSAGES = 100;

/** True if the local model can embed passages: it is there, and they are in Latin letters, the only ones it reads. */
export const canEmbed = async (passages: readonly string[], context: RunContext): Promise<boolean> =>
  isInLatinLetters(passages.slice(0, SCRIPT_SAMPLE_PASSAGES).join(' ')) && hasModel(context, 'minilm');

/**
 * Embeds a question and passages with the local model, and compares the best passages with the question word by word.
 * @param documents whose pages, one document after the other, are those of the question
 * @returns null if the model is missing or the text is not in Latin script, because the model then rates every passage as an
 *   answer. The caller should fall back to a search by words.
 */
export async function embedClosely(
  documents: EmbeddedDocument[],
  asked: AskedQuestion & { budgetTokens?: number },
  texts: PassagesToEmbed,
  context: RunContext,
  percents: Percents,
): Promise<{ meaning: Meaning; model: string; unread: number } | null> {
  const { signal, embedder } = context;
  if (!isInLatinLetters(texts.question) || !(await canEmbed(texts.passages, context))) return null;
  return unlessUnavailable(async () => {
    const { meaning, ...others } = await embed(documents, texts, context, percents);
    const compared = await onSearchThread('textsToCompare', { ...asked, meaning }, signal);
    return { meaning: { ...meaning, closeness: await embedder.compare(compared, signal) }, ...others };
  });
}

async function embed(
  documents: EmbeddedDocument[],
  { question, passages, pages }: PassagesToEmbed,
  context: RunContext,
  { from, to }: Percents,
) {
  const { embedder, signal } = context;
  const until = performance.now() + WAIT_MS;
  const vectors: [string, Direction][] = [];
  let last: EmbeddedQuestion | undefined;
  let [done, unread] = [0, 0];
  const shares = sharesOf(documents, passages, pages);
  for (const [at, { id, texts }] of shares.entries()) {
    // Documents after this one get at least their part of the time.
    const waitMs = Math.max(0, until - performance.now()) / (shares.length - at);
    const onProgress = (read: number) => {
      const measure = { done: done + read, total: passages.length, unit: 'passages' as const };
      const message = `Reading the passages for their meaning: ${measure.done} of ${measure.total}`;
      context.stage(
        'understanding',
        message,
        Math.floor(from + (to - from) * (measure.done / measure.total)),
        measure,
      );
    };
    const embedded = await embedder.embed(id, { question, passages: texts }, signal, onProgress, waitMs);
    last = embedded;
    vectors.push(...embedded.meaning.vectors);
    unread += embedded.unread;
    done += texts.length;
  }
  if (!last) throw new Error('There are no passages to embed.');
  return { ...last, meaning: { ...last.meaning, vectors: new Map(vectors) }, unread };
}

/** The passages of each document, which stay in their order; the document of the first passage comes first. */
function sharesOf(documents: EmbeddedDocument[], passages: string[], pages: number[]) {
  const owners: string[] = documents.flatMap(({ id, pages: own }) => own.map(() => id));
  const groups = Map.groupBy(passages.keys(), (at) => owners[pages[at]! - 1]!);
  return Array.from(groups, ([id, places]) => ({ id, texts: places.map((at) => passages[at]!) }));
}

export const noteOnUnread = (unread: number) =>
  `*${unread.toLocaleString('en-US')} passages are still being read for their meaning, and were searched by words alone. Ask again in some minutes for a better answer.*`;
