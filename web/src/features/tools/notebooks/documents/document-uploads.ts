import type { Job } from '#libs/contract/jobs.js';
import type { ScanLanguage } from '#libs/contract/scans.js';
import { ApiFailure } from '../../../../shared/http/http';

/** A document that is to be added to a notebook: a file, or a text with its name. */
export interface NewDocument {
  name: string;
  file?: File;
  text?: string;
  /** Id of the document that this is a newer version of. */
  replaces?: string;
  language?: ScanLanguage;
}

export interface Upload extends NewDocument {
  /** Also the idempotency key, so that a repeated request adds the document once. */
  id: string;
  state: 'waiting' | 'sending' | 'failed';
  /** Why the upload failed, or waits. */
  message: string | null;
  /** True if another attempt can succeed. */
  canRetry: boolean;
}

interface DocumentUploadsOptions {
  send: (document: NewDocument, key: string, signal: AbortSignal) => Promise<Job>;
  /** Called with the job that reads the document. The upload is listed until the promise settles. */
  onSent: (job: Job) => Promise<unknown>;
  wait: (milliseconds: number) => Promise<void>;
}

const AT_ONCE = 2;
const FIRST_WAIT_MS = 2_000;
const MAX_WAIT_MS = 30_000;
/** Errors that pass with time, so that uploads continue by themselves. */
const temporaryErrors: readonly ApiFailure['code'][] = [
  'RATE_LIMITED',
  'QUEUE_FULL',
  'DISK_FULL',
  'UNAVAILABLE',
  'UNREACHABLE',
];

/** Errors of the document itself. */
const finalErrors: readonly ApiFailure['code'][] = [
  'VALIDATION_FAILED',
  'FILE_TOO_LARGE',
  'UNSUPPORTED_FILE',
  'UNREADABLE_PDF',
  'UNREADABLE_DOCUMENT',
];
const isFinal = (error: unknown) => error instanceof ApiFailure && finalErrors.includes(error.code);

/** Uploads the documents of a notebook, a few at a time. Continues while the user is on another page. */
export class DocumentUploads {
  private uploads: readonly Upload[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly requests = new Map<string, AbortController>();
  private failures = 0;

  constructor(private readonly options: DocumentUploadsOptions) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly list = (): readonly Upload[] => this.uploads;

  add(documents: readonly NewDocument[]): void {
    const added = documents.map((document) => ({
      ...document,
      id: crypto.randomUUID(),
      state: 'waiting' as const,
      message: null,
      canRetry: true,
    }));
    this.set([...this.uploads, ...added]);
    this.sendMore();
  }

  retry(id: string): void {
    this.change(id, { state: 'waiting', message: null });
    this.sendMore();
  }

  /** Removes an upload from the list. Cancels its request. */
  remove(id: string): void {
    this.set(this.uploads.filter((upload) => upload.id !== id));
    this.requests.get(id)?.abort();
    this.requests.delete(id);
  }

  private sendMore(): void {
    const sending = this.uploads.filter(({ state }) => state === 'sending').length;
    const next = this.uploads.filter(({ state }) => state === 'waiting').slice(0, AT_ONCE - sending);
    for (const upload of next) {
      this.change(upload.id, { state: 'sending' });
      void this.send(upload).then(() => this.sendMore());
    }
  }

  private async send({
    id,
    state: _state,
    message: _message,
    canRetry: _canRetry,
    ...document
  }: Upload): Promise<void> {
    const isListed = () => this.uploads.some((upload) => upload.id === id);
    while (isListed()) {
      const request = new AbortController();
      this.requests.set(id, request);
      try {
        const job = await this.options.send(document, id, request.signal);
        this.failures = 0;
        await this.options.onSent(job).catch(() => undefined);
        this.remove(id);
      } catch (error) {
        if (!isListed()) return;
        if (!(error instanceof ApiFailure) || !temporaryErrors.includes(error.code)) {
          const message = error instanceof Error ? error.message : 'The document could not be sent.';
          return this.change(id, { state: 'failed', message, canRetry: !isFinal(error) });
        }
        this.change(id, { message: error.message });
        this.failures += 1;
        const usual = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.failures - 1));
        await this.options.wait(error.retryAfterSeconds === null ? usual : error.retryAfterSeconds * 1000);
      }
    }
  }

  private change(id: string, change: Partial<Upload>): void {
    this.set(this.uploads.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)));
  }

  private set(uploads: readonly Upload[]): void {
    this.uploads = uploads;
    for (const listener of this.listeners) listener();
  }
}
