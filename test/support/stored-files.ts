import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { FileStore } from '#libs/storage/file-store.js';
import { StoredFiles } from '#libs/storage/stored-files.js';

export interface TestFiles {
  files: StoredFiles;
  /** Deletes the folder of their bytes. */
  remove: () => void;
}

/** Users' files with their bytes in a folder of this test. */
export function testFiles(dataSource: DataSource): TestFiles {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-stored-'));
  return {
    files: new StoredFiles(dataSource, new FileStore(folder)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
