import type { Transaction } from '#libs/database/sql.js';
import type { AiProvider } from '#libs/ai/engine.js';
import type { Documents } from '#libs/documents/documents.js';
import type { PassageEmbedder } from '#libs/documents/passage-embedder.js';
import type { NotebookDocuments } from '#libs/notebooks/notebook-documents.js';
import type { NotebookNotes } from '#libs/notebooks/notebook-notes.js';
import type { Notebooks } from '#libs/notebooks/notebooks.js';
import type { LocalModels } from '#libs/models/local-models.js';
import type { CreationSettings } from '#libs/contract/creations.js';
import type { InputFile, StoredFile } from '#libs/contract/files.js';
import type { Measure } from '#libs/contract/progress.js';
import type { ToolInput, ToolName, ToolOutput } from '#libs/tools/catalogue.js';

/** Notebooks of all users, with their documents and notes. */
export interface NotebookServices {
  notebooks: Notebooks;
  notebookDocuments: NotebookDocuments;
  notebookNotes: NotebookNotes;
}

/** Everything a tool can use while it runs: progress, text stream, files, documents and models. */
export interface RunContext extends NotebookServices {
  userId: string;
  jobId: string;
  /** Aborted on cancellation, timeout or shutdown, or if another worker took over the job. */
  signal: AbortSignal;
  /**
   * Starts a stage of the work. `percent` (0 to 100) is the progress of the whole job and never decreases. Without
   * `measure`, the displayed progress is estimated from the elapsed time.
   */
  stage(stage: string, message: string, percent: number, measure?: Measure): void;
  /** Sets the progress within the current stage. */
  percent(percent: number, measure?: Measure): void;
  /** Appends to the streamed text. */
  text(piece: string): void;
  /** Publishes an intermediate image, as WebP. Images larger than `PREVIEW_MAX_BYTES` are not sent. */
  preview(image: Uint8Array): void;
  /** The uploaded file of an input field. Null if the user uploaded none. */
  file(field: string): Promise<InputFile | null>;
  /**
   * The current image of the source creation. Null if the request has no source creation.
   * @throws AppError NOT_FOUND if the creation was deleted
   */
  source(): Promise<InputFile | null>;
  /** Stores a file of the result. Files that are not part of the creation are deleted when the job ends. */
  store(bytes: Buffer, type: 'image/png' | 'image/jpeg' | 'image/webp'): Promise<StoredFile>;
  /** Texts of the user's PDF documents by page, and the conversations about them. */
  documents: Documents;
  /** Pretrained models on this server. */
  models: Pick<LocalModels, 'isAvailable' | 'run' | 'cutOutModels'>;
  /** Computes text embeddings, for semantic search in documents. */
  embedder: Pick<PassageEmbedder, 'embed' | 'compare' | 'readInBackground'>;
  /**
   * Returns the cached answer for `key`; calls `make` if there is none. The key must include everything the answer
   * depends on.
   */
  once<Answer>(key: string, make: () => Promise<Answer>): Promise<Answer>;
}

export interface ToolOutcome<N extends ToolName> {
  /**
   * Result for the API. `chatHistory` is missing, since conversations are stored with their document and added on
   * reading.
   */
  result: Omit<ToolOutput<N>, 'chatHistory' | 'model'>;
  /** Name of the local model. Undefined if a provider did the work. */
  model?: string;
  /** Creation to add to the user's dashboard. Null for tools whose results are stored elsewhere. */
  creation: {
    type: string;
    prompt: string;
    /** A name that says more than the prompt. Users may change it. */
    displayName?: string;
    /** Markdown text, or the path of a stored image. */
    content: string;
    files?: { image: StoredFile; thumbnail: StoredFile };
    /** Input other than the prompt, used to refill the form. */
    settings?: CreationSettings;
    /** True if the creation is public immediately. */
    published?: boolean;
  } | null;
  /** Additional writes in the transaction that ends the job. They are stored only if the job succeeds, and only once. */
  commit?: (transaction: Transaction) => Promise<void>;
}

/**
 * Implements a tool with a provider and offline. Each method returns a complete outcome or throws, never partial text.
 */
export interface ToolHandler<N extends ToolName> {
  withProvider(input: ToolInput<N>, provider: AiProvider, context: RunContext): Promise<ToolOutcome<N>>;
  offline(input: ToolInput<N>, context: RunContext): Promise<ToolOutcome<N>>;
}

export type ToolHandlers = { [N in ToolName]: ToolHandler<N> };
