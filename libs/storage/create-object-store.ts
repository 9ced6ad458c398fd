import type { StorageConfig } from '#libs/config/environment.js';
import { FileStore } from './file-store.js';
import type { ObjectStore } from './object-store.js';
import { TracedStore } from './traced-store.js';

/** Creates the configured store. Loads the S3 client only if it is needed. */
export async function createObjectStore(config: StorageConfig): Promise<ObjectStore> {
  if (config.kind === 'files') return new TracedStore(new FileStore(config.directory), config.kind);
  const { S3Store } = await import('./s3-store.js');
  return new TracedStore(new S3Store(config), config.kind);
}
