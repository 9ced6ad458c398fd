import { useLayoutEffect, useState, type RefObject } from 'react';
import type { Size } from '../../../shared/lib/picture';
import type { Point } from './rect';
import { fitView, panBy, reveal, zoomAt, type View } from './view';

export interface Pane {
  size: Size;
  view: View;
  /** True if the view shows the whole image. */
  fitted: boolean;
  fit: () => void;
  showPixels: () => void;
  zoom: (factor: number, at?: Point) => void;
  pan: (by: Point) => void;
  reveal: (place: Point, room: number) => void;
}

const UNKNOWN: Size = { width: 1, height: 1 };

/** Tracks the size of an element, and the scale and position of the image that it shows. */
export function usePane(element: RefObject<HTMLElement | null>, picture: Size): Pane {
  const [size, setSize] = useState<Size>(UNKNOWN);
  /** The view after the user panned or zoomed; null fits the whole image. */
  const [moved, setMoved] = useState<View | null>(null);

  useLayoutEffect(() => {
    const pane = element.current;
    if (pane === null) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = pane;
      if (width > 0 && height > 0) setSize({ width, height });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(pane);
    return () => observer.disconnect();
  }, [element]);

  const whole = fitView(picture, size);
  const view = moved === null ? whole : panBy(moved, { x: 0, y: 0 }, picture, size);
  const change = (next: (from: View) => View) =>
    setMoved((from) => {
      const to = next(from ?? fitView(picture, size));
      return to.scale <= whole.scale ? null : to;
    });
  const middle = { x: size.width / 2, y: size.height / 2 };
  const zoom = (factor: number, at: Point = middle) =>
    change((from) => zoomAt(from, factor, at, picture, size));
  return {
    size,
    view,
    fitted: moved === null,
    fit: () => setMoved(null),
    showPixels: () => change((from) => zoomAt(from, 1 / from.scale, middle, picture, size)),
    zoom,
    pan: (by) => change((from) => panBy(from, by, picture, size)),
    reveal: (place, room) => change((from) => reveal(from, place, room, picture, size)),
  };
}
