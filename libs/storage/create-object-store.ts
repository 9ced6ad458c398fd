import type { StorageConfig } from '#libs/config/environment.js';
import { FileStore } from './file-store.js';
import type { ObjectStore } from './object-store.js';
import { S3Store } from './s3-store.js';
import { TracedStore } from './traced-store.js';

export function createObjectStore(config: StorageConfig): ObjectStore {
  const store = config.kind === 'files' ? new FileStore(config.directory) : new S3Store(config);
  return new TracedStore(store, config.kind);
}
