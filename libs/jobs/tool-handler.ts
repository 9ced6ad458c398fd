import type { Transaction } from '#libs/database/sql.js';
import type { AiProvider } from '#libs/ai/engine.js';
import type { Documents } from '#libs/documents/documents.js';
import type { PassageEmbedder } from '#libs/documents/passage-embedder.js';
import type { LocalModels } from '#libs/models/local-models.js';
import type { CreationSettings } from '#libs/contract/creations.js';
import type { InputFile, StoredFile } from '#libs/contract/files.js';
import type { Measure } from '#libs/contract/progress.js';
import type { ToolInput, ToolName, ToolOutput } from '#libs/tools/catalogue.js';

/** Services of a running tool: progress, text stream, files, documents and models. */
export interface RunContext {
  userId: string;
  jobId: string;
  /** Aborted on cancel, time-out, shutdown, or when another worker took the job over. */
  signal: AbortSignal;
  /**
   * Enters a step of the work. `percent` (0 to 100) is the progress of the whole job and never decreases. With a measure,
   * progress is measured; without a measure, it is estimated from the time.
   */
  stage(stage: string, message: string, percent: number, measure?: Measure): void;
  /** Sets the progress within the present stage. */
  percent(percent: number, measure?: Measure): void;
  /** Streams a piece of the text to the user, in order. */
  text(piece: string): void;
  /** Publishes a picture of the unfinished work: a WebP of at most `PREVIEW_MAX_BYTES`. Larger previews are not sent. */
  preview(image: Uint8Array): void;
  /** The file of a field, or null when none was sent. */
  file(field: string): Promise<InputFile | null>;
  /**
   * The current picture of the creation that the request names; null if it names none.
   * @throws AppError NOT_FOUND if the creation was deleted
   */
  source(): Promise<InputFile | null>;
  /** Stores a file of the result. Files that belong to no creation after the end are deleted. */
  store(bytes: Buffer, type: 'image/png' | 'image/jpeg' | 'image/webp'): Promise<StoredFile>;
  /** A user's PDF documents: their text by page, read once, and the conversations about them. */
  documents: Documents;
  /** The pretrained models on this server. */
  models: Pick<LocalModels, 'isAvailable' | 'run'>;
  /** Reads the passages of documents for the search by meaning. */
  embedder: Pick<PassageEmbedder, 'embed' | 'compare'>;
  /** The stored answer for `key`, or that of `make`, which is then stored. The key names all that it depends on. */
  once<Answer>(key: string, make: () => Promise<Answer>): Promise<Answer>;
}

export interface ToolOutcome<N extends ToolName> {
  /** The row's fields. A conversation is stored with its document alone, and added when the job is read. */
  result: Omit<ToolOutput<N>, 'chatHistory' | 'model'>;
  /** The name of the local model; not set for a provider. */
  model?: string;
  /** The dashboard entry; null for a tool whose results are stored elsewhere. */
  creation: {
    type: string;
    prompt: string;
    /** Markdown, or the path of a stored image. */
    content: string;
    /** The files this creation consists of, its thumbnail by its role. */
    files?: { image: StoredFile; thumbnail: StoredFile };
    /** Input other than the prompt, to fill in the form again. */
    settings?: CreationSettings;
    /** True for a creation that is public from the start. */
    published?: boolean;
  } | null;
  /** Stored in the transaction that ends the job: it happens once, with the success, or not at all. */
  commit?: (transaction: Transaction) => Promise<void>;
}

/** A tool's work on both engines. Each either returns a whole outcome or throws; it never returns half a text. */
export interface ToolHandler<N extends ToolName> {
  withProvider(input: ToolInput<N>, provider: AiProvider, context: RunContext): Promise<ToolOutcome<N>>;
  offline(input: ToolInput<N>, context: RunContext): Promise<ToolOutcome<N>>;
}

/** Every tool's work by its name: a missing handler does not compile. */
export type ToolHandlers = { [N in ToolName]: ToolHandler<N> };
