import type { Readable } from 'node:stream';

/** Bytes to store: in memory, or in a file of known size. */
export type Content = Buffer | { path: string; bytes: number };

/** Bytes `start` to `end` of an object, both inclusive, from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/** The store is unavailable or failed. The same call may succeed later. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** The store rejects the configuration. The message names the variable and the remedy. */
export class StoreRefused extends StoreError {
  override name = 'StoreRefused';
}

export class ObjectMissing extends Error {
  override name = 'ObjectMissing';
}

/**
 * The bytes of users' files, in a folder or in an S3-compatible store. {@link StoredFiles} creates the keys. Every call rejects
 * with a {@link StoreError} when the store is unavailable.
 */
export abstract class ObjectStore {
  /** Creates the folder or bucket if it is missing. @throws StoreRefused when a retry cannot help */
  abstract prepare(): Promise<void>;
  /** Stores an object atomically. Replaces an object of the same key. */
  abstract put(key: string, content: Content, type: string): Promise<void>;
  /** A stream, which the caller must read or destroy. @throws ObjectMissing */
  abstract open(key: string, range?: ByteRange): Promise<Readable>;
  /** @throws ObjectMissing */
  abstract read(key: string): Promise<Buffer>;
  /** The size in bytes; null for a missing object. */
  abstract stat(key: string): Promise<{ bytes: number } | null>;
  /** Removes objects, and ignores missing ones. */
  abstract remove(keys: string[]): Promise<void>;
  /** Rejects when the store cannot be reached or written to. */
  abstract ping(): Promise<void>;
}

export const sizeOf = (content: Content): number =>
  Buffer.isBuffer(content) ? content.length : content.bytes;
