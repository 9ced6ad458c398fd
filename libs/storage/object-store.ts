import type { Readable } from 'node:stream';

/** Bytes to be stored: in memory, or a file of known size. Never a stream of unknown length. */
export type Content = Buffer | { path: string; bytes: number };

/** Bytes `start` to `end` of an object, both included, counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/** The store could not be reached, or failed: the same call may pass later. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** The store answers, and refuses to be used as it is configured. The message names the variable and what to do. */
export class StoreRefused extends StoreError {
  override name = 'StoreRefused';
}

/** There is no object of this key. */
export class ObjectMissing extends Error {
  override name = 'ObjectMissing';
}

/**
 * The bytes of users' files, in a folder or in any S3-compatible store. Keys are made by
 * {@link StoredFiles}. Every call rejects with a {@link StoreError} when the store is away.
 */
export abstract class ObjectStore {
  /** Makes the folder or the bucket, unless it exists. @throws StoreRefused when a retry cannot help */
  abstract prepare(): Promise<void>;
  /** Stores an object whole, or not at all. Replaces one of the same key. */
  abstract put(key: string, content: Content, type: string): Promise<void>;
  /** The bytes as a stream, which the caller must read or destroy. @throws ObjectMissing */
  abstract open(key: string, range?: ByteRange): Promise<Readable>;
  /** All bytes at once. @throws ObjectMissing */
  abstract read(key: string): Promise<Buffer>;
  /** The size in bytes; null when there is no such object. */
  abstract stat(key: string): Promise<{ bytes: number } | null>;
  /** Removes objects; one that does not exist is no error. */
  abstract remove(keys: string[]): Promise<void>;
  /** Rejects when the store cannot be reached or written to. */
  abstract ping(): Promise<void>;
}

export const sizeOf = (content: Content): number =>
  Buffer.isBuffer(content) ? content.length : content.bytes;
