import type { Readable } from 'node:stream';

/** Bytes to store: in memory, or in a file with its size. */
export type Content = Buffer | { path: string; bytes: number };

/** Range of an object's bytes from `start` to `end`, counted from 0. Both are inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** The store is unavailable or failed. A retry may succeed. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** The store rejects the configuration. The message names the variable that the operator must change. */
export class StoreRefused extends StoreError {
  override name = 'StoreRefused';
}

export class ObjectMissing extends Error {
  override name = 'ObjectMissing';
}

/**
 * Stores the bytes of users' files in a folder or an S3-compatible store. {@link StoredFiles} creates the keys. Every call
 * rejects with a {@link StoreError} if the store is unavailable.
 */
export abstract class ObjectStore {
  /** Creates the folder or bucket if it is missing. @throws StoreRefused if a retry cannot help */
  abstract prepare(): Promise<void>;
  /** Stores an object atomically. Replaces an object with the same key. */
  abstract put(key: string, content: Content, type: string): Promise<void>;
  /** Opens a stream, which the caller must read to its end or destroy. @throws ObjectMissing */
  abstract open(key: string, range?: ByteRange): Promise<Readable>;
  /** @throws ObjectMissing */
  abstract read(key: string): Promise<Buffer>;
  /** @returns the object's size in bytes; null if there is no such object */
  abstract stat(key: string): Promise<{ bytes: number } | null>;
  /** Removes objects. Ignores missing objects. */
  abstract remove(keys: string[]): Promise<void>;
  /** Rejects if the store is unavailable, or a folder cannot be written to. */
  abstract ping(): Promise<void>;
}

export const sizeOf = (content: Content): number =>
  Buffer.isBuffer(content) ? content.length : content.bytes;
