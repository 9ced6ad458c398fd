import type { Size } from '../../../shared/lib/picture';
import type { Point } from './rect';

/** Converts image to pane coordinates: multiply by `scale`, then add `x` and `y`. */
export interface View extends Point {
  readonly scale: number;
}

const MAX_SCALE = 16;

/** @returns the view that shows the whole image, centered in the pane */
export function fitView(picture: Size, pane: Size): View {
  const scale = Math.min(pane.width / picture.width, pane.height / picture.height);
  return inPane({ scale, x: 0, y: 0 }, picture, pane);
}

/** Zooms around a point of the pane. Zooms out at most until the whole image is visible. */
export function zoomAt(view: View, factor: number, { x, y }: Point, picture: Size, pane: Size): View {
  const smallest = fitView(picture, pane).scale;
  const scale = Math.min(Math.max(MAX_SCALE, smallest), Math.max(smallest, view.scale * factor));
  const grown = scale / view.scale;
  return inPane({ scale, x: x - (x - view.x) * grown, y: y - (y - view.y) * grown }, picture, pane);
}

export const panBy = (view: View, { x, y }: Point, picture: Size, pane: Size): View =>
  inPane({ ...view, x: view.x + x, y: view.y + y }, picture, pane);

/** Pans as little as possible so that a point of the image is visible, at least `room` pixels from the pane's edges. */
export function reveal(view: View, place: Point, room: number, picture: Size, pane: Size): View {
  const at = toPane(view, place);
  const marginX = Math.min(room, pane.width / 2);
  const marginY = Math.min(room, pane.height / 2);
  const x = Math.max(0, marginX - at.x) - Math.max(0, at.x - (pane.width - marginX));
  const y = Math.max(0, marginY - at.y) - Math.max(0, at.y - (pane.height - marginY));
  return x === 0 && y === 0 ? view : panBy(view, { x, y }, picture, pane);
}

export const toPicture = ({ scale, x, y }: View, at: Point): Point => ({
  x: (at.x - x) / scale,
  y: (at.y - y) / scale,
});

export const toPane = ({ scale, x, y }: View, at: Point): Point => ({
  x: at.x * scale + x,
  y: at.y * scale + y,
});

/** Corrects a view: an image smaller than the pane is centered, a larger image leaves no gap at the pane's edges. */
function inPane({ scale, x, y }: View, picture: Size, pane: Size): View {
  return {
    scale,
    x: placed(x, picture.width * scale, pane.width),
    y: placed(y, picture.height * scale, pane.height),
  };
}

const placed = (start: number, length: number, room: number) =>
  length <= room ? (room - length) / 2 : Math.min(0, Math.max(room - length, start));
