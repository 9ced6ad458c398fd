import { JobFailedError, PressroomError, toPressroomError } from './errors.js';
import { createClient, type Client } from './generated/client/index.js';
import {
  createBatch,
  getBatch,
  getJob,
  leaveOutBatchItem,
  sendBatchItem,
  streamJobEvents,
} from './generated/sdk.gen.js';
import type { BatchItem, BatchWithItems, CreateBatchData, Job } from './generated/types.gen.js';
import { addIdempotencyKey, pause, withRetries } from './retries.js';

/** Pictures of a batch that are sent at once. */
const UPLOADS_AT_ONCE = 3;
const FIRST_POLL_MS = 500;
const LONGEST_POLL_MS = 5_000;

export interface PressroomOptions {
  /** Address of the server, such as `https://pressroom.example`. */
  url: string;
  /** API key: `prk_…`. */
  key: string;
  fetch?: typeof fetch;
}

export interface CallOptions {
  signal?: AbortSignal;
}

export interface SubmitOptions extends CallOptions {
  /** The same key identifies the same job for 24 hours. Default: a new one for each call. */
  idempotencyKey?: string;
}

export interface WaitOptions extends CallOptions {
  onChange?: (job: Job) => void;
}

/** A picture with the name that its result gets in the ZIP. */
export interface Picture {
  name: string;
  blob: Blob;
}

export interface BatchOptions extends SubmitOptions {
  /** Fields of the tool, the same for all pictures. */
  input?: Record<string, unknown>;
  /** Called when the batch was created, before its pictures are sent. */
  onStarted?: (batch: BatchWithItems) => void;
  /** Called when a picture was sent. */
  onSent?: (item: BatchItem) => void;
  /** Called when a picture was left out, since the server does not take it. */
  onRefused?: (picture: Picture, error: PressroomError) => void;
}

/** A generated function that starts a job, such as `generateArticle`. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Operation = (options: any) => Promise<any>;
type BodyOf<O extends Operation> = Parameters<O>[0] extends { body: infer B } ? B : never;

type BatchTool = CreateBatchData['body']['tool'];

/** Calls Pressroom with an API key. */
export class Pressroom {
  /** For the generated functions: `listJobs({ client: pressroom.client })`. They throw {@link PressroomError}. */
  readonly client: Client;
  private readonly url: string;
  private readonly key: string;
  private readonly send: typeof fetch;

  constructor({ url, key, fetch = globalThis.fetch }: PressroomOptions) {
    this.url = url;
    this.key = key;
    this.send = withRetries((...request) => fetch(...request));
    this.client = createClient({
      baseUrl: url.replace(/\/+$/, ''),
      auth: () => key,
      fetch: this.send,
      throwOnError: true,
    });
    this.client.interceptors.request.use(addIdempotencyKey);
    this.client.interceptors.error.use(toPressroomError);
  }

  /** Starts a job: `submit(generateArticle, { prompt: '…' })`. */
  async submit<O extends Operation>(operation: O, body: BodyOf<O>, options?: SubmitOptions): Promise<Job> {
    const { data } = (await operation({
      client: this.client,
      body,
      headers: submissionHeaders(options),
      signal: options?.signal,
    })) as { data: { job?: Job; jobId?: string } };
    return data.job ?? (await this.getJob(data.jobId!, options));
  }

  /** Starts a job and waits for its end. @throws JobFailedError */
  async run<O extends Operation>(
    operation: O,
    body: BodyOf<O>,
    options?: SubmitOptions & WaitOptions,
  ): Promise<Job> {
    const job = await this.submit(operation, body, options);
    return this.wait(job.id, options);
  }

  /** Waits for the end of a job. @throws JobFailedError */
  async wait(jobId: string, { signal, onChange }: WaitOptions = {}): Promise<Job> {
    for await (const job of this.follow(jobId, { signal })) {
      onChange?.(job);
      if (job.status === 'succeeded') return job;
      if (job.finishedAt !== null) throw new JobFailedError(job);
    }
    throw new PressroomError('The job did not end.');
  }

  /** Every change of a job until it has ended. Leaving the loop does not cancel the job. */
  async *follow(jobId: string, { signal }: CallOptions = {}): AsyncGenerator<Job, void, undefined> {
    let revision = -1;
    for (let pauseMs = FIRST_POLL_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_POLL_MS)) {
      for await (const job of this.changes(jobId, signal)) {
        if (job.revision <= revision) continue;
        revision = job.revision;
        pauseMs = FIRST_POLL_MS;
        yield job;
        if (job.finishedAt !== null) return;
      }
      await pause(pauseMs, signal);
    }
  }

  /** The events of one stream, and the state after it: a stream may break, or be refused by a proxy. */
  private async *changes(jobId: string, signal?: AbortSignal): AsyncGenerator<Job, void, undefined> {
    const stop = new AbortController();
    const { stream } = await streamJobEvents({
      client: this.client,
      path: { id: jobId },
      signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
      sseMaxRetryAttempts: 1,
    });
    try {
      for await (const event of stream as AsyncIterable<Partial<Job>>) {
        // Other events of the stream are deltas of the text and positions.
        if (event.status !== undefined && event.revision !== undefined) yield event as Job;
      }
      signal?.throwIfAborted();
      yield await this.getJob(jobId, { signal });
    } finally {
      stop.abort();
    }
  }

  /** Starts a batch and sends its pictures. Pictures that the server does not take are left out. */
  async batch(
    tool: BatchTool,
    pictures: readonly Picture[],
    { input = {}, idempotencyKey, signal, onStarted, onSent, onRefused }: BatchOptions = {},
  ): Promise<BatchWithItems> {
    const items = pictures.map(({ name, blob }, index) => ({ id: String(index), name, size: blob.size }));
    const { data } = await createBatch({
      client: this.client,
      body: { tool, input, items },
      headers: idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey },
      signal,
      throwOnError: true,
    });
    const { batch } = data;
    onStarted?.(batch);
    const waiting = pictures.map((picture, index) => ({ picture, n: index + 1 }));
    const sendAll = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { n, picture } = next;
        try {
          const item = await this.upload(batch.id, n, picture, { signal });
          onSent?.(item);
        } catch (error) {
          if (!isRefusal(error)) throw error;
          await leaveOutBatchItem({ client: this.client, path: { id: batch.id, n }, signal });
          onRefused?.(picture, error);
        }
      }
    };
    await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, sendAll));
    return this.getBatch(batch.id, { signal });
  }

  /** Sends a picture of a batch. A picture that was sent before is not sent twice. @param n its number, from 1 */
  async upload(batchId: string, n: number, { name, blob }: Picture, { signal }: CallOptions = {}) {
    const { data } = await sendBatchItem({
      client: this.client,
      path: { id: batchId, n },
      body: { image: new File([blob], name, { type: blob.type }) },
      signal,
      throwOnError: true,
    });
    return data.item;
  }

  /** Waits until no picture of a batch is missing, queued or running. */
  async waitForBatch(
    batchId: string,
    { signal, onChange }: CallOptions & { onChange?: (batch: BatchWithItems) => void } = {},
  ): Promise<BatchWithItems> {
    let revision = -1;
    for (let pauseMs = FIRST_POLL_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_POLL_MS)) {
      const batch = await this.getBatch(batchId, { signal });
      if (batch.revision !== revision) {
        revision = batch.revision;
        pauseMs = FIRST_POLL_MS;
        onChange?.(batch);
      }
      if (batch.status !== 'open') return batch;
      await pause(pauseMs, signal);
    }
  }

  /** Reads a picture or another file by the address in a job, a creation or a batch. */
  async download(address: string, { signal }: CallOptions = {}): Promise<Blob> {
    const target = new URL(address, this.url);
    // The key is for this server alone.
    const isOwn = target.origin === new URL(this.url).origin;
    const headers: HeadersInit = isOwn ? { Authorization: `Bearer ${this.key}` } : {};
    const response = await this.send(target, { headers, signal }).catch((error: unknown) => {
      throw toPressroomError(error, undefined);
    });
    if (response.ok) return response.blob();
    throw toPressroomError(await response.json().catch(() => ({})), response);
  }

  private async getJob(id: string, { signal }: CallOptions = {}): Promise<Job> {
    const { data } = await getJob({ client: this.client, path: { id }, signal, throwOnError: true });
    return data.job;
  }

  private async getBatch(id: string, { signal }: CallOptions = {}): Promise<BatchWithItems> {
    const { data } = await getBatch({ client: this.client, path: { id }, signal, throwOnError: true });
    return data.batch;
  }
}

/** True if the server does not take the file, whatever is tried. */
const isRefusal = (error: unknown): error is PressroomError =>
  error instanceof PressroomError &&
  (error.code === 'UNSUPPORTED_FILE' || error.code === 'UNREADABLE_IMAGE' || error.code === 'FILE_TOO_LARGE');

const submissionHeaders = ({ idempotencyKey }: SubmitOptions = {}) => ({
  Prefer: 'respond-async',
  ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
});
