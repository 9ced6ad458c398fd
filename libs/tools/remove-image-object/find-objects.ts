import { AppError } from '#libs/contract/errors.js';
import type { ModelId } from '#libs/contract/model-names.js';
import { onImageThread } from '#libs/local-engine/images/image-threads.js';
import {
  chooseObject,
  chooseObjects,
  describeObjects,
  isDetectable,
  objectsAt,
  type ObjectChoice,
} from '#libs/local-engine/images/object-names.js';
import { mergeViews } from '#libs/local-engine/images/detector-views.js';
import type { LocalModels } from '#libs/models/local-models.js';
import type { DetectedObject } from '#libs/models/runner/messages.js';
import { unlessUnavailable } from '../shared/local-model.js';

export const NEEDS_MASK = 'Paint over the object: this server has no models that find objects.';

export const finders = ['coco-ssd', 'u2netp'] as const satisfies ModelId[];

export interface ObjectQuery {
  /** The object's name; blank to choose the object at the point. */
  object: string;
  /** A point within the object, as fractions of width and height. */
  x?: number;
  y?: number;
}

export const pointOf = ({ x, y }: ObjectQuery) => (x === undefined || y === undefined ? undefined : { x, y });

/**
 * Finds the objects with a name in a picture: all of them, or the one at a point. Without a name, finds the object at the point.
 * @throws AppError ENGINE_CANNOT if there is no object with the name or at the point, or if the detector is missing
 */
export async function findObjects(
  bytes: Uint8Array,
  query: ObjectQuery,
  models: Models,
  signal: AbortSignal,
): Promise<ObjectChoice> {
  const first = await detect(bytes, models, signal);
  if (!first) throw new AppError('ENGINE_CANNOT', NEEDS_MASK);
  const { object } = query;
  const point = pointOf(query);
  const wantedOf = (objects: DetectedObject[]) =>
    object === '' && point ? objectsAt(objects, point) : chooseObjects(object, objects, point).chosen;
  const mayBeFound = object === '' || isDetectable(object);
  const found =
    mayBeFound && wantedOf(first).length === 0
      ? [...first, ...wantedOf(await detectInViews(bytes, models, signal))]
      : first;
  if (object === '' && point) return findObjectAt(bytes, point, found, models, signal);
  const choice = chooseObjects(object, found, point);
  if (choice.named.length === 0) {
    throw cannot(`No “${object}” was found in this picture. ${describeObjects(found, 'Name one of these')}`);
  }
  if (choice.chosen.length === 0) {
    throw cannot(`There is no “${object}” at that place. ${describeObjects(found, 'Choose another place')}`);
  }
  return choice;
}

type Models = Pick<LocalModels, 'run'>;

/** Detects objects in the whole picture; null if the detector is unavailable. */
export async function detect(bytes: Uint8Array, models: Models, signal: AbortSignal) {
  const picture = await onImageThread('pictureToDetect', { bytes }, signal);
  return unlessUnavailable(() => models.run('coco-ssd', picture, signal));
}

/** Detects objects in enlarged views of the picture: more reliable than {@link detect}, but ten times slower. */
export async function detectInViews(
  bytes: Uint8Array,
  models: Models,
  signal: AbortSignal,
): Promise<DetectedObject[]> {
  const views = await onImageThread('viewsToDetect', { bytes }, signal);
  const detected: DetectedObject[][] = [];
  for (const view of views)
    detected.push((await unlessUnavailable(() => models.run('coco-ssd', view, signal))) ?? []);
  return mergeViews(detected);
}

/** Finds the smallest object whose outline contains the point, otherwise the smallest whose box contains it. */
async function findObjectAt(
  bytes: Uint8Array,
  point: { x: number; y: number },
  found: DetectedObject[],
  models: Models,
  signal: AbortSignal,
): Promise<ObjectChoice> {
  const around = objectsAt(found, point);
  const boxes = around.map(({ box }) => box);
  const index =
    around.length < 2
      ? 0
      : await unlessUnavailable(() =>
          onImageThread('objectAt', { bytes, boxes, point }, signal, undefined, ({ input }) =>
            models.run('u2netp', input, signal),
          ),
        );
  const one = around[index ?? 0];
  if (one) return chooseObject(one, found);
  throw cannot(
    `Nothing is recognised at that place of the picture. ${describeObjects(found, 'Choose another place')}`,
  );
}

const cannot = (message: string) => new AppError('ENGINE_CANNOT', message);
