import { systemClock, type Clock } from '#libs/config/clock.js';
import type { Meaning } from '#libs/local-engine/pdf-search/search.js';
import type { TextsToEmbed } from '#libs/local-engine/pdf-search/thread.js';
import { toDirection, vectorKey, type Direction } from '#libs/local-engine/pdf-search/vectors.js';
import type { LocalModels } from '#libs/models/local-models.js';
import { waitForClose } from '#libs/resilience/policies.js';
import type { PassageVectors } from './passage-vectors.js';

export interface PassageEmbedderOptions {
  models: Pick<LocalModels, 'run'>;
  vectors: PassageVectors;
  clock?: Clock;
  /** Called where the work in the background fails; the next question about the document goes on with it. */
  log?: (error: unknown) => void;
}

/** What a model knows of a question and a document, and how many passages it has not read. */
export interface EmbeddedQuestion {
  meaning: Pick<Meaning, 'question' | 'vectors'>;
  unread: number;
}

/** Passages of one request to the model: a question of another job waits for few. */
const BATCH = 4;
/** A question waits so long for passages that the model has not read; the others follow in the background. */
const WAIT_MS = 15_000;
const MOST_DOCUMENTS_WAITING = 50;

/**
 * Has a model on this server read the passages of documents, each passage once. What it makes of them is kept with the
 * document.
 */
export class PassageEmbedder {
  private readonly clock: Clock;
  private readonly waiting = new Map<string, string[]>();
  private readonly closing = new AbortController();
  private working: Promise<void> | null = null;
  /** The questions that wait for the model: the work in the background waits for them. */
  private readonly questions = new Set<Promise<unknown>>();

  constructor(private readonly options: PassageEmbedderOptions) {
    this.clock = options.clock ?? systemClock;
  }

  /** @param onProgress called with the passages that the model has read, and their number */
  async embed(
    documentId: string,
    texts: TextsToEmbed,
    signal: AbortSignal,
    onProgress: (read: number, of: number) => void,
  ): Promise<EmbeddedQuestion> {
    return this.beforeOthers(this.embedNow(documentId, texts, signal, onProgress));
  }

  /** How closely texts meet a question, word by word; by text. */
  async compare(
    { question, passages }: TextsToEmbed,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, number>> {
    const { closeness } = await this.beforeOthers(
      this.options.models.run('minilm', { question, texts: passages }, signal),
    );
    return new Map(passages.map((text, at) => [text, closeness[at] ?? 0]));
  }

  /** While a question waits, nothing is read in the background. */
  private async beforeOthers<T>(question: Promise<T>): Promise<T> {
    this.questions.add(question);
    try {
      return await question;
    } finally {
      this.questions.delete(question);
    }
  }

  /** Resolves once nothing is left to read in the background. */
  async idle(): Promise<void> {
    await this.working;
  }

  /** Ends the work in the background. Nest calls it. */
  async onApplicationShutdown(): Promise<void> {
    this.closing.abort(new Error('Stopping.'));
    await waitForClose(async () => this.working);
  }

  private async embedNow(
    documentId: string,
    { question, passages }: TextsToEmbed,
    signal: AbortSignal,
    onProgress: (read: number, of: number) => void,
  ): Promise<EmbeddedQuestion> {
    const { models, vectors } = this.options;
    const started = this.clock.elapsed();
    const known = await vectors.find(documentId);
    const { vectors: ofQuestion } = await models.run('minilm', { texts: [question] }, signal);
    let unread = passages.filter((text) => !known.has(vectorKey(text)));
    while (unread.length > 0 && this.clock.elapsed() - started < WAIT_MS) {
      onProgress(passages.length - unread.length, passages.length);
      const read = await this.read(unread.slice(0, BATCH), signal);
      for (const [key, vector] of read) known.set(key, vector);
      unread = unread.slice(BATCH);
      await vectors.add(documentId, read);
    }
    if (unread.length > 0) this.readInBackground(documentId, unread);
    const direction = toDirection(ofQuestion[0] as Float32Array);
    return { meaning: { question: direction, vectors: known }, unread: unread.length };
  }

  private readInBackground(documentId: string, passages: string[]): void {
    if (this.waiting.size >= MOST_DOCUMENTS_WAITING) return;
    this.waiting.set(documentId, passages);
    this.working ??= this.work().finally(() => (this.working = null));
  }

  private async work(): Promise<void> {
    for (const [documentId, passages] of this.waiting) {
      try {
        await this.readAll(documentId, passages);
      } catch (error) {
        if (!this.closing.signal.aborted) this.options.log?.(error);
      }
      this.waiting.delete(documentId);
    }
  }

  private async readAll(documentId: string, passages: string[]): Promise<void> {
    const { signal } = this.closing;
    for (let at = 0; at < passages.length && !signal.aborted; at += BATCH) {
      while (this.questions.size > 0) await Promise.allSettled(this.questions);
      const batch = passages.slice(at, at + BATCH);
      const known = await this.options.vectors.find(documentId, batch.map(vectorKey));
      const read = await this.read(
        batch.filter((text) => !known.has(vectorKey(text))),
        signal,
      );
      const isThere = await this.options.vectors.add(documentId, read);
      if (!isThere) return;
    }
  }

  private async read(texts: string[], signal: AbortSignal): Promise<Map<string, Direction>> {
    if (texts.length === 0) return new Map();
    const { vectors } = await this.options.models.run('minilm', { texts }, signal);
    return new Map(texts.map((text, at) => [vectorKey(text), toDirection(vectors[at] as Float32Array)]));
  }
}
