import type { AskedQuestion } from '#libs/local-engine/pdf-search/question.js';
import type { Meaning } from '#libs/local-engine/pdf-search/search.js';
import { textsToCompare, textsToEmbed } from '#libs/local-engine/pdf-search/thread.js';
import { toDirection, vectorKey, type Direction } from '#libs/local-engine/pdf-search/vectors.js';
import type { LocalModels } from '#libs/models/local-models.js';

/** The embedding model of this server; null measures the search by words. */
export type Model = Pick<LocalModels, 'run'> | null;
export type Vectors = Map<string, Direction>;

const never = new AbortController().signal;
const BATCH = 8;

/** The vectors of a document's passages; empty without a model. */
export async function embedPages(pages: string[], model: Model): Promise<Vectors> {
  const vectors = new Map<string, Direction>();
  const texts =
    textsToEmbed({ pages, question: 'Anything?', history: [], fileName: '', labels: null })?.passages ?? [];
  for (let at = 0; model && at < texts.length; at += BATCH) {
    const batch = texts.slice(at, at + BATCH);
    const output = await model.run('minilm', { texts: batch }, never);
    for (const [k, vector] of output.vectors.entries())
      vectors.set(vectorKey(batch[k] ?? ''), toDirection(vector));
  }
  return vectors;
}

/** The vector of a question, and its closeness to the passages that may answer it. */
export async function meaningOf(
  asked: AskedQuestion,
  vectors: Vectors,
  model: Model,
): Promise<Meaning | null> {
  if (!model) return null;
  const embedded = textsToEmbed(asked)?.question ?? asked.question;
  const output = await model.run('minilm', { texts: [embedded] }, never);
  const meaning = { question: toDirection(output.vectors[0] as Float32Array), vectors };
  const { question, passages } = textsToCompare({ ...asked, meaning });
  const { closeness } = await model.run('minilm', { question, texts: passages }, never);
  return { ...meaning, closeness: new Map(passages.map((text, k) => [text, closeness[k] ?? 0])) };
}
