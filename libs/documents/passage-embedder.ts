import { systemClock, type Clock } from '#libs/config/clock.js';
import type { Meaning } from '#libs/local-engine/pdf-search/search.js';
import type { TextsToEmbed } from '#libs/local-engine/pdf-search/thread.js';
import { toDirection, vectorKey, type Direction } from '#libs/local-engine/pdf-search/vectors.js';
import { modelCatalogue } from '#libs/models/catalogue.js';
import type { LocalModels } from '#libs/models/local-models.js';
import { waitForClose } from '#libs/resilience/policies.js';
import type { PassageVectors } from './passage-vectors.js';

export interface PassageEmbedderOptions {
  models: Pick<LocalModels, 'run'> & Partial<Pick<LocalModels, 'ownEmbedding'>>;
  vectors: PassageVectors;
  clock?: Clock;
  /** Called if background work fails. The next question about the document resumes the work. */
  log?: (error: unknown) => void;
}

/** The vectors of a question and of the document's passages. */
export interface EmbeddedQuestion {
  meaning: Omit<Meaning, 'closeness'>;
  /** The model's name. */
  model: string;
  /** Number of passages without a vector, because there was not enough time. */
  unread: number;
}

/** Passages per request to the model. Small, because the question of another job may have to wait for a whole request. */
const BATCH = 4;
/** Milliseconds that a question waits for missing vectors by default, with the start of the model. */
const WAIT_MS = 2_500;
const MAX_WAITING_DOCUMENTS = 50;

/**
 * Computes embedding vectors of documents' passages with a model on this server. Stores the vectors, so each passage is
 * computed once. Questions have priority over background work.
 */
export class PassageEmbedder {
  private readonly clock: Clock;
  /** Passages to embed in the background, by document id. */
  private readonly waiting = new Map<string, string[]>();
  private readonly closing = new AbortController();
  private working: Promise<void> | null = null;
  /** Questions that are using the model. Background work waits until there are none. */
  private readonly questions = new Set<Promise<unknown>>();

  constructor(private readonly options: PassageEmbedderOptions) {
    this.clock = options.clock ?? systemClock;
  }

  /**
   * Embeds a question, and passages that have no stored vector, in the given order.
   * @param onProgress called with the number of passages that have a vector, and the number of all passages
   * @param waitMs milliseconds to wait for missing vectors; those still missing then are computed in the background
   */
  async embed(
    documentId: string,
    texts: TextsToEmbed,
    signal: AbortSignal,
    onProgress: (read: number, of: number) => void,
    waitMs = WAIT_MS,
  ): Promise<EmbeddedQuestion> {
    return this.runFirst(this.embedNow(documentId, texts, signal, onProgress, waitMs));
  }

  /** Compares passages with a question word by word. @returns similarity by passage, at most 1 */
  async compare(
    { question, passages }: TextsToEmbed,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, number>> {
    const { closeness } = await this.runFirst(
      this.options.models.run('minilm', { question, texts: passages }, signal),
    );
    return new Map(passages.map((text, at) => [text, closeness[at] ?? 0]));
  }

  /** Pauses background work until the question is done. */
  private async runFirst<T>(question: Promise<T>): Promise<T> {
    this.questions.add(question);
    try {
      return await question;
    } finally {
      this.questions.delete(question);
    }
  }

  /** Resolves when there is no more background work. */
  async idle(): Promise<void> {
    await this.working;
  }

  /** Stops background work. Nest calls this method at shutdown. */
  async onApplicationShutdown(): Promise<void> {
    this.closing.abort(new Error('Stopping.'));
    await waitForClose(async () => this.working);
  }

  private async embedNow(
    documentId: string,
    { question, passages }: TextsToEmbed,
    signal: AbortSignal,
    onProgress: (read: number, of: number) => void,
    waitMs: number,
  ): Promise<EmbeddedQuestion> {
    const { models, vectors } = this.options;
    const started = this.clock.elapsed();
    const stored = await vectors.find(documentId);
    const { vectors: questionVectors } = await models.run(
      'minilm',
      { texts: [question], areQuestions: true },
      signal,
    );
    let unread = passages.filter((text) => !stored.has(this.keyOf(text)));
    while (unread.length > 0 && this.clock.elapsed() - started < waitMs) {
      onProgress(passages.length - unread.length, passages.length);
      const read = await this.read(unread.slice(0, BATCH), signal);
      for (const [key, vector] of read) stored.set(key, vector);
      unread = unread.slice(BATCH);
      await vectors.add(documentId, read);
    }
    if (unread.length > 0) this.readInBackground(documentId, unread);
    const direction = toDirection(questionVectors[0] as Float32Array);
    const own = models.ownEmbedding;
    return {
      meaning: {
        question: direction,
        vectors: stored,
        ...(own && { model: own.key }),
        ...(own?.scores && { scores: own.scores }),
      },
      model: own?.title ?? modelCatalogue.minilm.title,
      unread: unread.length,
    };
  }

  private keyOf = (text: string) => vectorKey(text, this.options.models.ownEmbedding?.key);

  /** Embeds passages that have no stored vector, after other documents. */
  readInBackground(documentId: string, passages: string[]): void {
    if (this.waiting.size >= MAX_WAITING_DOCUMENTS) return;
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
      const stored = await this.options.vectors.find(documentId, batch.map(this.keyOf));
      const read = await this.read(
        batch.filter((text) => !stored.has(this.keyOf(text))),
        signal,
      );
      if (!(await this.options.vectors.add(documentId, read))) return;
    }
  }

  private async read(texts: string[], signal: AbortSignal): Promise<Map<string, Direction>> {
    if (texts.length === 0) return new Map();
    const { vectors } = await this.options.models.run('minilm', { texts }, signal);
    return new Map(texts.map((text, at) => [this.keyOf(text), toDirection(vectors[at] as Float32Array)]));
  }
}
