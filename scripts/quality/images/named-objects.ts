import { AppError } from '#libs/contract/errors.js';
import type { LocalModels } from '#libs/models/local-models.js';
import { objectsNamed } from '#libs/local-engine/images/object-names.js';
import { overlapOf } from '#libs/models/runner/box-overlap.js';
import { cocoClasses } from '#libs/models/runner/coco-classes.js';
import type { DetectedObject } from '#libs/models/runner/messages.js';
import { findObjects, look, lookAgain } from '#libs/tools/remove-image-object/find-objects.js';
import type { Photograph } from './photographs.ts';

export interface NameFigure {
  photograph: string;
  name: string;
  /** Intersection over union of the best box with the thing's own; 0 where nothing of the name was found. */
  overlap: number;
  isRight: boolean;
}

const never = new AbortController().signal;
/** Of its union with the thing's own box, what a right box shares at least: COCO's own measure. */
const RIGHT_FROM = 0.5;

/** Whether the object that is named is found, where it is. */
export async function measureName(
  { name, jpeg, shows }: Photograph & { shows: NonNullable<Photograph['shows']> },
  models: LocalModels,
): Promise<NameFigure> {
  const found = await findNamed(jpeg, shows.name, models);
  const overlap = Math.max(0, ...found.map(({ box }) => overlapOf(box, shows.box)));
  return { photograph: name, name: shows.name, overlap, isRight: overlap >= RIGHT_FROM };
}

/** The objects of a name; none where the product tells that there is none. */
async function findNamed(jpeg: Buffer, object: string, models: LocalModels): Promise<DetectedObject[]> {
  try {
    return (await findObjects(jpeg, { object }, models, never)).named;
  } catch (error) {
    if (error instanceof AppError && error.code === 'ENGINE_CANNOT') return [];
    throw error;
  }
}

export interface FalseFinds {
  /** Names of the detector that the photograph has nothing of. */
  absent: number;
  /** Those of them that the first look finds, and both together. */
  atFirst: string[];
  found: string[];
}

/** Which names are found in a photograph that has nothing of them. */
export async function measureFalseFinds(
  { jpeg, shows, also }: Photograph,
  models: LocalModels,
): Promise<FalseFinds> {
  const first = (await look(jpeg, models, never)) ?? [];
  const both = [...first, ...(await lookAgain(jpeg, models, never))];
  const absent = cocoClasses.filter((name) => name !== '' && name !== shows?.name && !also.includes(name));
  const foundIn = (seen: DetectedObject[]) => absent.filter((name) => objectsNamed(name, seen).length > 0);
  return { absent: absent.length, atFirst: foundIn(first), found: foundIn(both) };
}
