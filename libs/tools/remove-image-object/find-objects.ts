import { AppError } from '#libs/contract/errors.js';
import type { ModelId } from '#libs/contract/model-names.js';
import { onImageThread } from '#libs/local-engine/images/image-threads.js';
import { chooseObjects, describeObjects, type ObjectChoice } from '#libs/local-engine/images/object-names.js';
import type { LocalModels } from '#libs/models/local-models.js';
import { unlessUnavailable } from '../shared/local-model.js';

export const NEEDS_MASK = 'Paint over the object: this server cannot find it by its name.';

/** The models that find an object and its outline. */
export const finders = ['coco-ssd', 'u2netp'] as const satisfies ModelId[];

export interface ObjectQuery {
  object: string;
  /** A point of the one that is meant, in shares of the picture. */
  x?: number;
  y?: number;
}

export const pointOf = ({ x, y }: ObjectQuery) => (x === undefined || y === undefined ? undefined : { x, y });

/**
 * Finds the objects of a name in a picture: all, or the one at a point.
 * @throws AppError ENGINE_CANNOT when nothing of that name is there, or the detector is not
 */
export async function findObjects(
  bytes: Uint8Array,
  query: ObjectQuery,
  models: Pick<LocalModels, 'run'>,
  signal: AbortSignal,
): Promise<ObjectChoice> {
  const picture = await onImageThread('pictureToDetect', { bytes }, signal);
  const seen = await unlessUnavailable(() => models.run('coco-ssd', picture, signal));
  if (!seen) throw new AppError('ENGINE_CANNOT', NEEDS_MASK);
  const { object } = query;
  const choice = chooseObjects(object, seen, pointOf(query));
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

const cannot = (message: string) => new AppError('ENGINE_CANNOT', message);
