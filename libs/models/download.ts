import { createWriteStream } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { ModelUnavailable } from './errors.js';
import { sizeOf } from './model-folder.js';

/** A connection that brings nothing for so long has failed. */
const IDLE_MS = 20_000;
/** Tries in a row that bring nothing. */
const MAX_TRIES = 3;

/** Fetches one address. Tests pass another. */
export type Fetch = typeof fetch;

export interface DownloadOptions {
  /** More bytes than this are refused. */
  maxBytes: number;
  signal: AbortSignal;
  fetch?: Fetch;
  onBytes?: (bytes: number) => void;
}

/**
 * Downloads an address into a file, from where an earlier download stopped. A connection that breaks is opened again for
 * as long as each brings something.
 * @throws ModelUnavailable; the signal's reason; errors of the disk
 */
export async function download(url: string, file: string, options: DownloadOptions): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const before = (await sizeOf(file)) ?? 0;
    try {
      return await downloadRest(url, file, before, options);
    } catch (error) {
      options.signal.throwIfAborted();
      if (!(error instanceof Broken)) throw error;
      if (((await sizeOf(file)) ?? 0) > before) tries = 0;
      if (tries + 1 >= MAX_TRIES) throw unreachable(url, error.cause);
      await pause(300 * (tries + 1), undefined, { signal: options.signal });
    }
  }
}

/** A broken connection; its cause says how. */
class Broken extends Error {}

async function downloadRest(url: string, file: string, start: number, options: DownloadOptions) {
  const { maxBytes, signal, onBytes } = options;
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(new Error('nothing came any more')), IDLE_MS);
  try {
    const ends = AbortSignal.any([signal, idle.signal]);
    const response = await connection(() =>
      (options.fetch ?? fetch)(url, {
        headers: { 'accept-encoding': 'identity', ...(start > 0 && { range: `bytes=${start}-` }) },
        signal: ends,
      }),
    );
    // The file is complete already, or is not what the address has now: its hash decides.
    if (response.status === 416 && start > 0) return void (await response.body?.cancel());
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      if (response.status >= 500) throw new Broken('', { cause: `it answered ${response.status}` });
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
        if (bytes > maxBytes) throw new ModelUnavailable(`${hostOf(url)} sent more than the file has.`);
        if (!to.write(value)) await Promise.race([once(to, 'drain'), failed]);
        onBytes?.(bytes);
      }
    } finally {
      await reader.cancel().catch(() => {});
      await Promise.race([new Promise<void>((done) => to.end(() => done())), failed]);
    }
    if (bytes < expected) throw new Broken('', { cause: 'the connection ended early' });
  } finally {
    clearTimeout(timer);
  }
}

async function connection<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Broken('', { cause: (error as Error).cause ?? error });
  }
}

const unreachable = (url: string, cause: unknown) =>
  new ModelUnavailable(
    `${hostOf(url)} could not be reached: ${cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : String(cause)}.`,
    { cause },
  );

/** Without user, password and query. */
const hostOf = (url: string) => new URL(url).host;
