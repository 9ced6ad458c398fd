import { createReadStream } from 'node:fs';
import {
  access,
  constants,
  copyFile,
  link,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { ObjectMissing, ObjectStore, StoreError, type ByteRange, type Content } from './object-store.js';

/** Stores objects as files. Subfolders by the first characters of the keys keep the folders small. */
export class FileStore extends ObjectStore {
  constructor(private readonly directory: string) {
    super();
  }

  async prepare(): Promise<void> {
    await toStoreError(() => makeFolder(this.directory));
  }

  async put(key: string, content: Content): Promise<void> {
    const path = this.pathOf(key);
    const temporary = partOf(path);
    await toStoreError(async () => {
      await makeFolder(dirname(path));
      try {
        if (Buffer.isBuffer(content)) await writeFile(temporary, content);
        else await link(content.path, temporary).catch(() => copyFile(content.path, temporary));
        await flush(temporary);
        await rename(temporary, path);
        await flushFolder(dirname(path));
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    });
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    return toStoreError(async () => {
      const file = await open(this.pathOf(key));
      return createReadStream('', { fd: file, start: range?.start, end: range?.end });
    });
  }

  async read(key: string): Promise<Buffer> {
    return toStoreError(() => readFile(this.pathOf(key)));
  }

  async stat(key: string): Promise<{ bytes: number } | null> {
    try {
      const { size } = await toStoreError(() => stat(this.pathOf(key)));
      return { bytes: size };
    } catch (error) {
      if (error instanceof ObjectMissing) return null;
      throw error;
    }
  }

  async remove(keys: string[]): Promise<void> {
    await toStoreError(() =>
      Promise.all(
        keys
          .flatMap((key) => [this.pathOf(key), partOf(this.pathOf(key))])
          .map((path) => rm(path, { force: true })),
      ),
    );
  }

  async ping(): Promise<void> {
    await toStoreError(async () => {
      await mkdir(this.directory, { recursive: true });
      await access(this.directory, constants.R_OK | constants.W_OK);
    });
  }

  private pathOf(key: string): string {
    if (!/^[\w-]{4,100}$/.test(key)) throw new Error('This is no key of an object.');
    return join(this.directory, key.slice(0, 2), key.slice(2, 4), key);
  }
}

/** Temporary file while an object is being written. After a crash it remains, and `remove` deletes it with its object. */
const partOf = (path: string) => `${path}.part`;

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Creates a folder and the missing folders above it. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let folder = path; folder !== dirname(first); folder = dirname(folder))
    await flushFolder(dirname(folder));
}

/** Writes a folder's list of files to the disk; without this a loss of power undoes a rename. Windows cannot do this. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function toStoreError<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new ObjectMissing('There is no such object.', { cause: error });
    throw new StoreError(`The folder of the objects cannot be used: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
