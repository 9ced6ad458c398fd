import groups from './picture-sizes.json' with { type: 'json' };
import type { Size } from '../../../shared/lib/picture';

export interface PictureSize extends Size {
  id: string;
  label: string;
  /** The margin around the subject, in percent of the shorter side. */
  margin: number;
  /** The required colour; the user can choose another one. */
  background?: string;
  hint?: string;
}

/** Sizes that shops, social networks and authorities require, in pixels. */
export const pictureSizes: readonly { group: string; sizes: readonly PictureSize[] }[] = groups;

export const findSize = (id: string): PictureSize | undefined =>
  pictureSizes.flatMap(({ sizes }) => sizes).find((size) => size.id === id);
