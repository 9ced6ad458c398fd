import { creationRoutes } from '#libs/contract/routes/creations.js';
import { latestCutOut } from '../../creations/versions/versions';
import { call, callOnce } from '../../../shared/http/call';
import { ApiFailure, fetchFile, type Http } from '../../../shared/http/http';
import { createComposer } from './composer';
import { encodeForServer } from './encode';
import { describeSettings, type CutOutSettings } from './settings';

/** A result of a batch. */
export interface BatchPicture {
  creationId: string;
  name: string;
}

export interface Composition {
  settings: CutOutSettings;
  /** The background picture that the user chose. */
  picture: File | null;
}

/** A composed picture. `before` is the version that was current before. */
export interface Composed {
  creationId: string;
  before: string;
}

/**
 * Composes the cut-out of a picture and saves it as a version.
 * @param key idempotency key of the version
 * @throws Error with a message for the user
 */
export async function composePicture(
  http: Http,
  { creationId }: BatchPicture,
  { settings, picture }: Composition,
  key: string,
  signal: AbortSignal,
): Promise<Composed> {
  const { versions } = await call(http, creationRoutes.listCreationVersions, {
    params: { id: creationId },
    signal,
  });
  const cutOut = latestCutOut(versions);
  const current = versions.find((version) => version.current);
  if (cutOut === undefined || current === undefined) throw new Error('This picture has no cut-out.');
  const [file, photo] = await Promise.all([
    fetchFile(cutOut.content!, signal),
    settings.background === 'blur' ? fetchOriginal(http, creationId, signal) : null,
  ]);
  const composer = createComposer();
  try {
    const opened = await composer.ask<'open'>({ kind: 'open', cutOut: file, original: photo });
    if (picture !== null) await composer.ask<'picture'>({ kind: 'picture', picture });
    const image = await encodeForServer({ ...opened, composer }, settings);
    signal.throwIfAborted();
    const body = new FormData();
    body.append('label', describeSettings(settings));
    body.append('base', current.id);
    body.append('cutOut', 'false');
    body.append('image', image, 'image');
    await whenPossible(signal, () =>
      callOnce(http, creationRoutes.addCreationVersion, key, { params: { id: creationId }, body, signal }),
    );
    return { creationId, before: current.id };
  } finally {
    composer.close();
  }
}

async function fetchOriginal(http: Http, creationId: string, signal: AbortSignal): Promise<Blob> {
  const { batch } = await call(http, creationRoutes.getCreation, { params: { id: creationId }, signal });
  if (!batch?.original) throw new Error('Its original is no longer stored, so it cannot be blurred.');
  return fetchFile(batch.original, signal);
}

/** Makes a composed picture show the version from before. @throws ApiFailure */
export const undoComposition = (http: Http, { creationId, before }: Composed) =>
  call(http, creationRoutes.restoreCreationVersion, { params: { id: creationId, version: before } });

/** Times that a call without an answer is repeated, with its idempotency key. */
const MAX_REPEATS = 3;
const REPEAT_AFTER_SECONDS = 2;

/** Calls again after the time that the server asks for, if the calls come too fast, and after a lost connection. */
async function whenPossible<T>(signal: AbortSignal, send: () => Promise<T>): Promise<T> {
  for (let lost = 0; ;) {
    try {
      return await send();
    } catch (error) {
      const code = error instanceof ApiFailure ? error.code : null;
      if (code === 'UNREACHABLE' && lost < MAX_REPEATS) lost += 1;
      else if (code !== 'RATE_LIMITED') throw error;
      const seconds = error instanceof ApiFailure ? error.retryAfterSeconds : null;
      await wait((seconds ?? REPEAT_AFTER_SECONDS) * 1_000, signal);
    }
  }
}

const wait = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('Stopped', 'AbortError'));
    });
  });
