import groups from './picture-sizes.json' with { type: 'json' };
import type { Size } from '../../../shared/lib/picture';

export interface PictureSize extends Size {
  id: string;
  label: string;
  /** Margin around the subject, as percentage of the shorter side. */
  margin: number;
  /** Background colour that the site requires, such as `#ffffff`. Only a default: the user can choose another colour. */
  background?: string;
  hint?: string;
  /** Pixels per inch, if the size is one on paper. */
  density?: number;
}

/** Image sizes, in pixels, that shops, social networks and authorities require. */
export const pictureSizes: readonly { group: string; sizes: readonly PictureSize[] }[] = groups;

export const findSize = (id: string): PictureSize | undefined =>
  pictureSizes.flatMap(({ sizes }) => sizes).find((size) => size.id === id);
