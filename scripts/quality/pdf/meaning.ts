import type { OfflineQuestion } from '#libs/local-engine/pdf-search/answer.js';
import type { Meaning } from '#libs/local-engine/pdf-search/search.js';
import { sentencesToEmbed, textsToEmbed } from '#libs/local-engine/pdf-search/thread.js';
import { toDirection, vectorKey, type Direction } from '#libs/local-engine/pdf-search/vectors.js';
import type { LocalModels } from '#libs/models/local-models.js';

/** The model of this server; null measures the search by words. */
export type Model = Pick<LocalModels, 'run'> | null;
export type Vectors = Map<string, Direction>;

const never = new AbortController().signal;
const BATCH = 8;

/** What the model makes of a document's passages. */
export async function embedPages(pages: string[], model: Model): Promise<Vectors> {
  const vectors = new Map<string, Direction>();
  const texts = textsToEmbed({ pages, question: 'Anything?', history: [], fileName: '' })?.passages ?? [];
  for (let at = 0; model && at < texts.length; at += BATCH) {
    const batch = texts.slice(at, at + BATCH);
    const made = await model.run('minilm', batch, never);
    for (const [k, vector] of made.entries()) vectors.set(vectorKey(batch[k] ?? ''), toDirection(vector));
  }
  return vectors;
}

/** What the model makes of a question, and of the sentences of the passages that fit it best. */
export async function meaningOf(
  asked: OfflineQuestion,
  vectors: Vectors,
  model: Model,
): Promise<Meaning | null> {
  if (!model) return null;
  const embedded = textsToEmbed(asked)?.question ?? asked.question;
  const [vector] = await model.run('minilm', [embedded], never);
  if (!vector) return null;
  const meaning = { question: toDirection(vector), vectors };
  const sentences = sentencesToEmbed({ ...asked, meaning }).passages;
  const missing = sentences.filter((text) => !vectors.has(vectorKey(text)));
  if (missing.length > 0) {
    const made = await model.run('minilm', missing, never);
    for (const [k, found] of made.entries()) vectors.set(vectorKey(missing[k] ?? ''), toDirection(found));
  }
  return meaning;
}
