import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelEntry, ModelFile } from './catalogue.js';

/** The folder of all models: one folder for each model, and `.fetching` for unfinished downloads. */
export class ModelFolder {
  constructor(readonly path: string) {}

  file(id: string, name: string): string {
    return join(this.path, id, name);
  }

  /** The path of an unfinished download, which a later fetch resumes. */
  partial(name: string): string {
    return join(this.path, '.fetching', name);
  }

  /** True if all files of a model exist in full length. Their hashes are checked when the model is loaded. */
  async has(id: string, model: Pick<ModelEntry, 'files'>): Promise<boolean> {
    const sizes = await Promise.all(model.files.map(({ name }) => sizeOf(this.file(id, name))));
    return model.files.every(({ bytes }, k) => sizes[k] === bytes);
  }

  /** The files of a model with another hash than in the catalogue. */
  async damaged(id: string, model: Pick<ModelEntry, 'files'>): Promise<ModelFile[]> {
    const hashes = await Promise.all(
      model.files.map(({ name }) => hashOf(this.file(id, name)).catch(() => null)),
    );
    return model.files.filter(({ sha256 }, k) => hashes[k] !== sha256);
  }

  async prepare(id: string): Promise<void> {
    await mkdir(join(this.path, id), { recursive: true });
    await mkdir(join(this.path, '.fetching'), { recursive: true });
  }

  async remove(id: string): Promise<void> {
    await rm(join(this.path, id), { recursive: true, force: true });
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.path);
    return bavail * bsize;
  }
}

/** The size of a file in bytes; null when it does not exist. */
export async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** SHA-256 of a file, in hex. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
