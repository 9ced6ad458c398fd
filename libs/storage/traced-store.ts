import type { Readable } from 'node:stream';
import { inChildSpan } from '#libs/observability/tracing.js';
import { sizeOf, type ByteRange, type Content, type ObjectStore } from './object-store.js';

/** Adds spans for a store's calls to traces. They do not contain keys, because anyone with a key can read the file. */
export class TracedStore implements ObjectStore {
  constructor(
    private readonly store: ObjectStore,
    private readonly kind: string,
  ) {}

  prepare = (): Promise<void> => this.store.prepare();

  put = (key: string, content: Content, type: string): Promise<void> =>
    this.trace('put', () => this.store.put(key, content, type), { 'pressroom.bytes': sizeOf(content) });

  open = (key: string, range?: ByteRange): Promise<Readable> =>
    this.trace('open', () => this.store.open(key, range));

  read = (key: string): Promise<Buffer> => this.trace('read', () => this.store.read(key));

  stat = (key: string): Promise<{ bytes: number } | null> => this.trace('stat', () => this.store.stat(key));

  remove = (keys: string[]): Promise<void> => this.trace('remove', () => this.store.remove(keys));

  ping = (): Promise<void> => this.store.ping();

  private trace<T>(call: string, work: () => Promise<T>, more: Record<string, number> = {}): Promise<T> {
    const attributes = { 'pressroom.store': this.kind, ...more };
    return inChildSpan(`storage ${call}`, { kind: 'client', attributes }, work);
  }
}
