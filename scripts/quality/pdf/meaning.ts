import type { Meaning } from '#libs/local-engine/pdf-search/search.js';
import { textsToEmbed } from '#libs/local-engine/pdf-search/thread.js';
import { toDirection, vectorKey, type Direction } from '#libs/local-engine/pdf-search/vectors.js';
import type { LocalModels } from '#libs/models/local-models.js';

/** The model of this server; null measures the search by words. */
export type Model = Pick<LocalModels, 'run'> | null;
export type Vectors = ReadonlyMap<string, Direction>;

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

export async function meaningOf(question: string, vectors: Vectors, model: Model): Promise<Meaning | null> {
  const [vector] = model ? await model.run('minilm', [question], never) : [];
  return vector ? { question: toDirection(vector), vectors } : null;
}
