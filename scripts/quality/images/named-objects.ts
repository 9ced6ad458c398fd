import { onImageThread } from '#libs/local-engine/images/image-threads.js';
import { objectsNamed } from '#libs/local-engine/images/object-names.js';
import type { LocalModels } from '#libs/models/local-models.js';
import type { Box, Photograph } from './photographs.ts';

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
  const picture = await onImageThread('pictureToDetect', { bytes: jpeg }, never);
  const found = objectsNamed(shows.name, await models.run('coco-ssd', picture, never));
  const overlap = Math.max(0, ...found.map(({ box }) => overlapOf(box, shows.box)));
  return { photograph: name, name: shows.name, overlap, isRight: overlap >= RIGHT_FROM };
}

function overlapOf(a: Box, b: Box): number {
  const width = Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left));
  const height = Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  const area = ({ left, top, right, bottom }: Box) => (right - left) * (bottom - top);
  return (width * height) / (area(a) + area(b) - width * height);
}
