import type { Transaction } from '#libs/database/sql.js';
import type { AiProvider } from '#libs/ai/engine.js';
import type { Documents } from '#libs/documents/documents.js';
import type { PassageEmbedder } from '#libs/documents/passage-embedder.js';
import type { LocalModels } from '#libs/models/local-models.js';
import type { CreationSettings } from '#libs/contract/creations.js';
import type { InputFile, StoredFile } from '#libs/contract/files.js';
import type { Measure } from '#libs/contract/progress.js';
import type { ToolInput, ToolName, ToolOutput } from '#libs/tools/catalogue.js';

/** What a running tool may use: report progress, stream text, read and store files. */
export interface RunContext {
  userId: string;
  jobId: string;
  /** Aborted on cancel, time-out, shutdown, or when another worker took the job over. */
  signal: AbortSignal;
  /**
   * Enters a real step of the work. `percent` (0 to 100) is where the whole job stands; it never goes back. With a measure
   * it is shown as measured; without one, what is shown is estimated from the time.
   */
  stage(stage: string, message: string, percent: number, measure?: Measure): void;
  /** Moves the bar within the present stage, by what was measured. */
  percent(percent: number, measure?: Measure): void;
  /** Streams a piece of the text to the user; pieces are kept in order. */
  text(piece: string): void;
  /** Shows the user a picture of the unfinished work: a WebP of at most `PREVIEW_MAX_BYTES`. What cannot be shown is left out. */
  preview(image: Uint8Array): void;
  /** The file of a field, or null when none was sent. */
  file(field: string): Promise<InputFile | null>;
  /**
   * The picture of the creation that the request names, as it is now; null where it names none.
   * @throws AppError NOT_FOUND when it was deleted meanwhile
   */
  source(): Promise<InputFile | null>;
  /** Stores a file that the tool made. What belongs to no creation in the end is removed. */
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
  /** The name of the model on this server that made it; a provider's is known. */
  model?: string;
  /** What the dashboard shows; null for a tool whose results are kept elsewhere. */
  creation: {
    type: string;
    prompt: string;
    /** Markdown, or the path of a stored image. */
    content: string;
    /** The files this creation consists of, its thumbnail by its role. */
    files?: { image: StoredFile; thumbnail: StoredFile };
    /** What it was made with beside its prompt, to fill in the form again. */
    settings?: CreationSettings;
    /** Whether everybody may see it, from the start. */
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
