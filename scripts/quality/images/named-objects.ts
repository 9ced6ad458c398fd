import { AppError } from '#libs/contract/errors.js';
import type { LocalModels } from '#libs/models/local-models.js';
import { objectsNamed } from '#libs/local-engine/images/object-names.js';
import { overlapOf } from '#libs/models/runner/boxes.js';
import cocoClasses from '#libs/models/runner/coco-classes.json' with { type: 'json' };
import type { DetectedObject } from '#libs/models/runner/messages.js';
import { detect, detectInViews, findObjects } from '#libs/tools/remove-image-object/find-objects.js';
import type { Photograph } from './photographs.ts';

export interface NameFigure {
  photograph: string;
  name: string;
  /** Intersection over union of the best box with the object's true box; 0 where nothing was found. */
  overlap: number;
  isRight: boolean;
}

const never = new AbortController().signal;
/** The intersection over union from which COCO counts a box as correct. */
const MIN_OVERLAP = 0.5;

/** Measures whether the named object is found in its place. */
export async function measureName(
  { name, jpeg, shows }: Photograph & { shows: NonNullable<Photograph['shows']> },
  models: LocalModels,
): Promise<NameFigure> {
  const found = await findNamed(jpeg, shows.name, models);
  const overlap = Math.max(0, ...found.map(({ box }) => overlapOf(box, shows.box)));
  return { photograph: name, name: shows.name, overlap, isRight: overlap >= MIN_OVERLAP };
}

/** The objects with a name; none where the product finds none. */
async function findNamed(jpeg: Buffer, object: string, models: LocalModels): Promise<DetectedObject[]> {
  try {
    return (await findObjects(jpeg, { object }, models, never)).named;
  } catch (error) {
    if (error instanceof AppError && error.code === 'ENGINE_CANNOT') return [];
    throw error;
  }
}

export interface FalseFinds {
  /** Number of the detector's names for which the photograph has no object. */
  absent: number;
  /** Absent names that the first pass finds, and those that both passes find. */
  firstPass: string[];
  found: string[];
}

/** The names that are found in a photograph although it has no such object. */
export async function measureFalseFinds(
  { jpeg, shows, also }: Photograph,
  models: LocalModels,
): Promise<FalseFinds> {
  const first = (await detect(jpeg, models, never)) ?? [];
  const both = [...first, ...(await detectInViews(jpeg, models, never))];
  const absent = cocoClasses.filter((name) => name !== '' && name !== shows?.name && !also.includes(name));
  const foundIn = (objects: DetectedObject[]) =>
    absent.filter((name) => objectsNamed(name, objects).length > 0);
  return { absent: absent.length, firstPass: foundIn(first), found: foundIn(both) };
}
