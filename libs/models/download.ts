import { createWriteStream } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { ModelUnavailable } from './errors.js';
import { sizeOf } from './model-folder.js';

/** A connection without data for this time has failed. */
const IDLE_MS = 20_000;
/** The number of consecutive attempts without data. */
const MAX_TRIES = 3;

/** The type of the global `fetch`, which tests replace. */
export type Fetch = typeof fetch;

export interface DownloadOptions {
  /** A longer response is refused. */
  maxBytes: number;
  signal: AbortSignal;
  fetch?: Fetch;
  onBytes?: (bytes: number) => void;
}

/**
 * Downloads an address into a file, and resumes an earlier download. A broken connection is opened again as long as each
 * attempt brings data.
 * @throws ModelUnavailable; the signal's reason; errors of the disk
 */
export async function download(url: string, file: string, options: DownloadOptions): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const before = (await sizeOf(file)) ?? 0;
    try {
      return await downloadRest(url, file, before, options);
    } catch (error) {
      options.signal.throwIfAborted();
      if (!(error instanceof BrokenConnection)) throw error;
      if (((await sizeOf(file)) ?? 0) > before) tries = 0;
      if (tries + 1 >= MAX_TRIES) throw unreachable(url, error.cause);
      await pause(300 * (tries + 1), undefined, { signal: options.signal });
    }
  }
}

/** A broken connection; `cause` is the reason. */
class BrokenConnection extends Error {}

async function downloadRest(url: string, file: string, start: number, options: DownloadOptions) {
  const { maxBytes, signal, onBytes } = options;
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(new Error('no more data arrived')), IDLE_MS);
  try {
    const ends = AbortSignal.any([signal, idle.signal]);
    const response = await connection(() =>
      (options.fetch ?? fetch)(url, {
        headers: { 'accept-encoding': 'identity', ...(start > 0 && { range: `bytes=${start}-` }) },
        signal: ends,
      }),
    );
    // The file is complete, or the content of the address has changed; the caller checks the hash.
    if (response.status === 416 && start > 0) return void (await response.body?.cancel());
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      if (response.status >= 500) throw new BrokenConnection('', { cause: `it answered ${response.status}` });
      throw unreachable(url, `it answered ${response.status}`);
    }
    const isRest =
      response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${start}-`);
    if (!isRest && start > 0) await truncate(file, 0);
    let bytes = isRest ? start : 0;
    const expected = bytes + Number(response.headers.get('content-length') ?? NaN);
    const to = createWriteStream(file, { flags: 'a' });
    const failed = once(to, 'error').then(([error]) => Promise.reject(error as Error));
    failed.catch(() => {});
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    try {
      for (;;) {
        const { done, value } = await connection(() => reader.read());
        if (done) break;
        timer.refresh();
        bytes += value.byteLength;
        if (bytes > maxBytes) throw new ModelUnavailable(`${hostOf(url)} sent more bytes than the file has.`);
        if (!to.write(value)) await Promise.race([once(to, 'drain'), failed]);
        onBytes?.(bytes);
      }
    } finally {
      await reader.cancel().catch(() => {});
      await Promise.race([new Promise<void>((done) => to.end(() => done())), failed]);
    }
    if (bytes < expected) throw new BrokenConnection('', { cause: 'the connection ended early' });
  } finally {
    clearTimeout(timer);
  }
}

async function connection<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new BrokenConnection('', { cause: (error as Error).cause ?? error });
  }
}

const unreachable = (url: string, cause: unknown) =>
  new ModelUnavailable(
    `${hostOf(url)} could not be reached: ${cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : String(cause)}.`,
    { cause },
  );

/** The host of an address, without user, password and query. */
const hostOf = (url: string) => new URL(url).host;
