import type { AiProvider } from '#libs/ai/engine.js';
import type { RunContext } from '#libs/jobs/tool-handler.js';
import type { Excerpt } from '#libs/local-engine/pdf-search/choose-passages.js';
import type { AskedQuestion } from '#libs/local-engine/pdf-search/question.js';
import type { TextsToEmbed } from '#libs/local-engine/pdf-search/thread.js';
import { languageName } from '#libs/local-engine/text/language.js';
import { embedClosely, type EmbeddedDocument } from './embed-question.js';
import { ANSWERING_PERCENT, PASSAGE_TOKENS } from './quoted-answer.js';
import { onSearchThread } from './search-thread.js';
import { translateQuestion } from './translate-question.js';

interface Chosen {
  excerpts: Excerpt[];
  /** Null if all passages are short enough for the AI service. */
  texts: TextsToEmbed | null;
  /** Null if the passages were not embedded. */
  embedded: { unread: number } | null;
}

/**
 * Chooses the passages that an AI service gets for a question. A question in another language than the documents is translated
 * for the search.
 * @param documents whose pages, one document after the other, are those of the question
 * @param from the job's progress
 */
export async function choosePassages(
  question: AskedQuestion,
  documents: EmbeddedDocument[],
  languages: { document: string } | null,
  provider: AiProvider,
  context: RunContext,
  from: number,
): Promise<Chosen> {
  const { signal } = context;
  let asked = { ...question, budgetTokens: PASSAGE_TOKENS };
  let texts = await onSearchThread('textsToChooseFrom', asked, signal);
  if (texts && languages) {
    const language = languageName(languages.document);
    context.stage('translating', `Translating the question into ${language}`, from);
    asked = { ...asked, translation: await translateQuestion(provider, { ...asked, language }, signal) };
    texts = await onSearchThread('textsToChooseFrom', asked, signal);
  }
  const embedded =
    texts && (await embedClosely(documents, asked, texts, context, { from, to: ANSWERING_PERCENT }));
  const excerpts = await onSearchThread('excerpts', { ...asked, meaning: embedded?.meaning ?? null }, signal);
  return { excerpts, texts, embedded };
}
