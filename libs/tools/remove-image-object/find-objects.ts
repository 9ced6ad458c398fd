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

/** The models that find an object and its outline. */
export const finders = ['coco-ssd', 'u2netp'] as const satisfies ModelId[];

export interface ObjectQuery {
  /** Blank with a point: whatever is there. */
  object: string;
  /** A point of the one that is meant, in shares of the picture. */
  x?: number;
  y?: number;
}

export const pointOf = ({ x, y }: ObjectQuery) => (x === undefined || y === undefined ? undefined : { x, y });

/**
 * Finds the objects of a name in a picture: all, or the one at a point. Without a name, finds what is at the point.
 * @throws AppError ENGINE_CANNOT when nothing of that name, or nothing at that point, is there, or the detector is not
 */
export async function findObjects(
  bytes: Uint8Array,
  query: ObjectQuery,
  models: Models,
  signal: AbortSignal,
): Promise<ObjectChoice> {
  const first = await look(bytes, models, signal);
  if (!first) throw new AppError('ENGINE_CANNOT', NEEDS_MASK);
  const { object } = query;
  const point = pointOf(query);
  const wantedOf = (found: DetectedObject[]) =>
    object === '' && point ? objectsAt(found, point) : chooseObjects(object, found, point).chosen;
  const mayBeThere = object === '' || isDetectable(object);
  const seen =
    mayBeThere && wantedOf(first).length === 0
      ? [...first, ...wantedOf(await lookAgain(bytes, models, signal))]
      : first;
  if (object === '' && point) return findObjectAt(bytes, point, seen, models, signal);
  const choice = chooseObjects(object, seen, point);
  if (choice.named.length === 0) {
    throw cannot(
      `No “${object}” was found in this picture. ${describeObjects(seen)} Name one of these, or paint over what you want to remove.`,
    );
  }
  if (choice.chosen.length === 0) {
    throw cannot(
      `There is no “${object}” at that place. ${describeObjects(seen)} Choose another place, or paint over what you want to remove.`,
    );
  }
  return choice;
}

type Models = Pick<LocalModels, 'run'>;

/** What the detector sees in the whole picture; null where it cannot be used. */
export async function look(bytes: Uint8Array, models: Models, signal: AbortSignal) {
  const picture = await onImageThread('pictureToDetect', { bytes }, signal);
  return unlessUnavailable(() => models.run('coco-ssd', picture, signal));
}

/** What the detector surely sees in other views of the picture; ten times the work of {@link look}. */
export async function lookAgain(
  bytes: Uint8Array,
  models: Models,
  signal: AbortSignal,
): Promise<DetectedObject[]> {
  const views = await onImageThread('viewsToDetect', { bytes }, signal);
  const shown: DetectedObject[][] = [];
  for (const view of views)
    shown.push((await unlessUnavailable(() => models.run('coco-ssd', view, signal))) ?? []);
  return mergeViews(shown);
}

/** Finds the smallest object whose outline has a point; where no outline has it, the smallest whose box has it. */
async function findObjectAt(
  bytes: Uint8Array,
  point: { x: number; y: number },
  seen: DetectedObject[],
  models: Models,
  signal: AbortSignal,
): Promise<ObjectChoice> {
  const around = objectsAt(seen, point);
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
  if (one) return chooseObject(one, seen);
  throw cannot(
    `Nothing is recognised at that place of the picture. ${describeObjects(seen)} Choose another place, or paint over what you want to remove.`,
  );
}

const cannot = (message: string) => new AppError('ENGINE_CANNOT', message);
