import type { ImageBox } from '#libs/contract/images.js';

export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

type Size = Pick<Area, 'width' | 'height'>;

/** The pixels of a box, given in shares of the picture, inside the picture. */
export function pixelsOf({ left, top, right, bottom }: ImageBox, { width, height }: Size): Area {
  const x = Math.min(width - 1, Math.max(0, Math.floor(left * width)));
  const y = Math.min(height - 1, Math.max(0, Math.floor(top * height)));
  return {
    left: x,
    top: y,
    width: Math.max(1, Math.min(width, Math.ceil(right * width)) - x),
    height: Math.max(1, Math.min(height, Math.ceil(bottom * height)) - y),
  };
}

export const wholeOf = ({ width, height }: Size): Area => ({ left: 0, top: 0, width, height });

/** The part of a box that is in an area, at least one pixel. */
export function within(box: Area, area: Area): Area {
  const left = Math.max(box.left, area.left);
  const top = Math.max(box.top, area.top);
  return {
    left,
    top,
    width: Math.max(1, Math.min(box.left + box.width, area.left + area.width) - left),
    height: Math.max(1, Math.min(box.top + box.height, area.top + area.height) - top),
  };
}

/** A box with a margin on each side, in a picture. @param share margin, as a share of the longer side */
export function withMargin({ left, top, width, height }: Area, share: number, photo: Size): Area {
  const margin = Math.max(24, Math.round(Math.max(width, height) * share));
  const box = {
    left: left - margin,
    top: top - margin,
    width: width + 2 * margin,
    height: height + 2 * margin,
  };
  return within(box, wholeOf(photo));
}

/** Scales an area, and cuts it to the size of an image. */
export function scaledArea(area: Area, scale: number, { width, height }: Size): Area {
  const left = Math.round(area.left * scale);
  const top = Math.round(area.top * scale);
  return {
    left,
    top,
    width: Math.max(1, Math.min(width - left, Math.round(area.width * scale))),
    height: Math.max(1, Math.min(height - top, Math.round(area.height * scale))),
  };
}
