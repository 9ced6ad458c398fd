import { systemClock, type Clock } from '#libs/config/clock.js';
import { modelIds, type CutOutModelId, type ModelId } from '#libs/contract/model-names.js';
import { BudgetTooSmall, MemoryBudget } from '#libs/resilience/memory-budget.js';
import { modelCatalogue } from './catalogue.js';
import { ModelUnavailable } from './errors.js';
import { fetchModel, type FetchOptions } from './fetch-model.js';
import { lockFolder } from './folder-lock.js';
import { ModelFolder, sizeOf } from './model-folder.js';
import type { RuntimeKind, RuntimeTasks } from './runner/messages.js';
import type { OwnEmbedding } from './own-embedding.js';
import { unusable, type OwnModel } from './own-model.js';
import type { OwnSegmentation } from './own-segmentation.js';
import { likelihoodsIn, toTensor, uNetInput, type SegmentationInput } from './segmentation-input.js';
import { DamagedModel, ModelProcess } from './runner/model-process.js';

const MB = 1024 * 1024;

const tesseract = { kind: 'tesseract', keepsMemory: true, memoryMb: 400 } as const;

/** The runtime of each model and the measured memory of its process; see docs/models.md. */
const runners = {
  u2netp: { kind: 'onnx', keepsMemory: false, memoryMb: 320 },
  u2net: { kind: 'onnx', keepsMemory: false, memoryMb: 600 },
  'coco-ssd': { kind: 'coco-ssd', keepsMemory: false, memoryMb: 300 },
  migan: { kind: 'onnx', keepsMemory: true, memoryMb: 600 },
  'ocr-en': tesseract,
  'ocr-nl': tesseract,
  'ocr-fr': tesseract,
  'ocr-de': tesseract,
  'ocr-it': tesseract,
  'ocr-pl': tesseract,
  'ocr-pt': tesseract,
  'ocr-es': tesseract,
  minilm: { kind: 'minilm', keepsMemory: false, memoryMb: 320 },
} as const satisfies Record<ModelId, { kind: RuntimeKind; keepsMemory: boolean; memoryMb: number }>;

type KindOf<Id extends ModelId> = (typeof runners)[Id]['kind'];

/** The progress of a fetch, in bytes. */
export interface FetchProgress {
  bytes: number;
  total: number;
}

export interface LocalModelsOptions {
  directory: string;
  off: readonly ModelId[];
  /** The memory for the processes of all models together. */
  memoryMb: number;
  /** The operator's embedding model, in place of MiniLM. */
  ownEmbedding?: OwnEmbedding | null;
  /** The operator's segmentation model, in place of U²-Net. */
  ownSegmentation?: OwnSegmentation | null;
  /** The model that cuts out pictures, if the operator chose one of the catalogue. */
  cutOutModel?: CutOutModelId | null;
  clock?: Clock;
  /** Milliseconds that a job waits for a fetch in total, and for the next bytes of it. */
  waitMs?: number;
  stallMs?: number;
  /** Called when a fetch succeeded or failed. */
  log?: (id: ModelId, error: Error | null) => void;
  sources?: Pick<FetchOptions, 'fetch' | 'npm'>;
}

/** A model that cuts out pictures. */
export interface CutOutModel {
  id: CutOutModelId;
  /** Its name in results. */
  title: string;
  input: SegmentationInput;
}

const IDLE_MS = 60_000;
/** After this time, the next job repeats a failed fetch. */
const RETRY_AFTER_MS = 10 * 60_000;
const POLL_MS = 500;

/** The models of this server: fetches missing ones and runs them. */
export class LocalModels {
  readonly folder: ModelFolder;
  private readonly clock: Clock;
  private readonly memory: MemoryBudget;
  private readonly processes = new Map<ModelId, ModelProcess<RuntimeKind>>();
  private readonly fetches = new Map<ModelId, Promise<boolean>>();
  private readonly failedAt = new Map<ModelId, number>();
  private readonly progress = new Map<ModelId, FetchProgress>();
  private readonly closing = new AbortController();

  constructor(private readonly options: LocalModelsOptions) {
    this.folder = new ModelFolder(options.directory);
    this.clock = options.clock ?? systemClock;
    this.memory = new MemoryBudget(options.memoryMb * MB);
  }

  /** Fetches the missing models one after another, without those that are switched off. */
  async fetchMissing(): Promise<void> {
    for (const id of modelIds) {
      const isWanted = modelCatalogue[id].fetched === 'always' || id === this.options.cutOutModel;
      const isNeeded = isWanted && !this.ownOf(id);
      if (isNeeded && !this.closing.signal.aborted) await this.fetch(id);
    }
  }

  /**
   * True if a model can be used. Waits for a limited time while the model is being fetched.
   * @param onProgress called with the bytes so far
   */
  async isAvailable(
    id: ModelId,
    signal: AbortSignal,
    onProgress: (progress: FetchProgress) => void = () => undefined,
  ): Promise<boolean> {
    signal.throwIfAborted();
    if (this.isOff(id)) return false;
    if (this.ownOf(id)) return true;
    if (await this.folder.has(id, modelCatalogue[id])) return true;
    const isOnRequest = modelCatalogue[id].fetched === 'on request' && id !== this.options.cutOutModel;
    if (isOnRequest || this.failedRecently(id)) return false;
    return this.waitForFetch(id, signal, onProgress);
  }

  /**
   * Runs a model.
   * @throws EngineError, retryable, when its process ended or its files are damaged; the signal's reason
   */
  async run<Id extends ModelId>(
    id: Id,
    input: RuntimeTasks[KindOf<Id>]['input'],
    signal: AbortSignal,
  ): Promise<RuntimeTasks[KindOf<Id>]['output']> {
    try {
      return await this.processOf(id).run(input, signal);
    } catch (error) {
      if (error instanceof BudgetTooSmall) {
        throw new ModelUnavailable(`${this.titleOf(id)} takes more memory than WORKER_MODEL_MEMORY_MB.`, {
          cause: error,
        });
      }
      if (!(error instanceof DamagedModel)) throw error;
      if (this.ownOf(id)) {
        throw new ModelUnavailable(`A file of ${this.titleOf(id)} has changed: restart the worker.`, {
          cause: error,
        });
      }
      await this.folder.remove(id);
      const damaged = new ModelUnavailable(
        `A file of ${modelCatalogue[id].title} in ${this.folder.path} was damaged; it was deleted and is fetched again.`,
        { cause: error },
      );
      this.options.log?.(id, damaged);
      throw damaged;
    }
  }

  get ownEmbedding(): OwnEmbedding | null {
    return this.options.ownEmbedding ?? null;
  }

  get ownSegmentation(): OwnSegmentation | null {
    return this.options.ownSegmentation ?? null;
  }

  /** The models that cut out pictures, the best first. */
  get cutOutModels(): readonly CutOutModel[] {
    const ids: readonly CutOutModelId[] =
      this.options.cutOutModel === 'u2netp' ? ['u2netp'] : ['u2net', 'u2netp'];
    const inputOf = (id: CutOutModelId) =>
      (id === 'u2net' ? this.ownSegmentation?.input : undefined) ?? uNetInput;
    return ids.map((id) => ({ id, title: this.titleOf(id), input: inputOf(id) }));
  }

  private ownOf(id: ModelId): OwnModel | null {
    if (id === 'minilm') return this.ownEmbedding;
    return id === 'u2net' ? this.ownSegmentation : null;
  }

  private titleOf = (id: ModelId): string => this.ownOf(id)?.title ?? modelCatalogue[id].title;

  /** The id of a model's process, while it runs. */
  pidOf = (id: ModelId): number | undefined => this.processes.get(id)?.pid;

  /** Runs each of the operator's models once. @throws ConfigurationError if one does not work */
  async checkOwnModels(): Promise<void> {
    const { signal } = this.closing;
    await this.check('minilm', () => this.run('minilm', { texts: ['Is it there?'] }, signal));
    await this.check('u2net', async () => {
      const { input } = this.ownSegmentation as OwnSegmentation;
      const grey = new Uint8Array(3 * input.side ** 2).fill(128);
      likelihoodsIn(await this.run('u2net', { picture: toTensor(grey, input) }, signal), input);
    });
  }

  private async check(id: ModelId, run: () => Promise<unknown>): Promise<void> {
    const own = this.ownOf(id);
    if (!own || this.isOff(id)) return;
    try {
      await run();
    } catch (error) {
      const { message, cause } = error as Error;
      throw unusable(own, own.files[0]?.path ?? '', cause instanceof Error ? cause.message : message);
    }
  }

  /** Called by Nest. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  /** Ends fetches and processes. */
  async close(): Promise<void> {
    this.closing.abort(new Error('Stopping.'));
    await Promise.all([...this.processes.values()].map((process) => process.end()));
    await Promise.allSettled(this.fetches.values());
  }

  isOff = (id: ModelId): boolean => this.options.off.includes(id);

  /** Fetches a model unless it exists or is switched off. @returns whether it exists now */
  fetch(id: ModelId): Promise<boolean> {
    if (this.isOff(id)) return Promise.resolve(false);
    const running = this.fetches.get(id);
    if (running) return running;
    const fetching = this.fetchNow(id).finally(() => {
      this.fetches.delete(id);
      this.progress.delete(id);
    });
    this.fetches.set(id, fetching);
    return fetching;
  }

  private async fetchNow(id: ModelId): Promise<boolean> {
    const model = modelCatalogue[id];
    const { signal } = this.closing;
    const { sources = {}, log } = this.options;
    const set = (bytes: number, total = model.package.bytes) => this.progress.set(id, { bytes, total });
    try {
      if (await this.folder.has(id, model)) return true;
      set(0);
      const archive = this.folder.partial(`${id}-${model.package.version}.tgz`);
      const unlock = await lockFolder(this.folder.path, signal, this.clock, () => {
        // Another process is fetching; the size of its file is the progress.
        void sizeOf(archive).then((bytes) => set(bytes ?? 0));
      });
      try {
        if (await this.folder.has(id, model)) return true;
        await fetchModel(id, model, this.folder, { signal, ...sources, onBytes: set });
      } finally {
        unlock();
      }
      this.failedAt.delete(id);
      log?.(id, null);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      this.failedAt.set(id, this.clock.elapsed());
      log?.(id, error as Error);
      return false;
    }
  }

  private async waitForFetch(
    id: ModelId,
    signal: AbortSignal,
    onProgress: (progress: FetchProgress) => void,
  ): Promise<boolean> {
    const { waitMs = 120_000, stallMs = 20_000 } = this.options;
    const started = this.clock.elapsed();
    let [last, lastAt] = [-1, started];
    const fetching = this.fetch(id);
    for (;;) {
      const progress = this.progress.get(id);
      if (progress && progress.bytes !== last) {
        [last, lastAt] = [progress.bytes, this.clock.elapsed()];
        onProgress(progress);
      }
      const ended = await Promise.race([fetching, this.pause(signal)]);
      signal.throwIfAborted();
      if (ended !== undefined) return ended;
      const now = this.clock.elapsed();
      if (now - started > waitMs || now - lastAt > stallMs) return false;
    }
  }

  private pause(signal: AbortSignal): Promise<undefined> {
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        signal.removeEventListener('abort', end);
        resolve(undefined);
      };
      const cancel = this.clock.after(POLL_MS, end);
      signal.addEventListener('abort', end, { once: true });
    });
  }

  private failedRecently(id: ModelId): boolean {
    const failedAt = this.failedAt.get(id);
    return failedAt !== undefined && this.clock.elapsed() - failedAt < RETRY_AFTER_MS;
  }

  private processOf(id: ModelId): ModelProcess<RuntimeKind> {
    const existing = this.processes.get(id);
    if (existing) return existing;
    const { kind, keepsMemory } = runners[id];
    const own = this.ownOf(id);
    const memoryMb = own?.memoryMb ?? runners[id].memoryMb;
    const embedding = id === 'minilm' ? this.ownEmbedding : null;
    const files = modelCatalogue[id].files.map(({ name, sha256 }) => ({
      path: this.folder.file(id, name),
      sha256,
    }));
    const created = new ModelProcess<RuntimeKind>({
      kind,
      keepsMemory,
      title: this.titleOf(id),
      files: own?.files ?? files,
      ...(embedding && { embedding: embedding.settings }),
      idleMs: IDLE_MS,
      clock: this.clock,
      takeMemory: async (signal) => {
        await this.endIdle(memoryMb * MB);
        return this.memory.take(memoryMb * MB, signal);
      },
      onIdle: () => {
        if (this.memory.hasWaiting) void created.end();
      },
    });
    this.processes.set(id, created);
    return created;
  }

  /** Ends idle processes, the oldest first, until this many bytes are free. */
  private async endIdle(bytes: number): Promise<void> {
    for (const process of this.processes.values()) {
      if (this.memory.fits(bytes)) return;
      if (process.isIdle) await process.end();
    }
  }
}
