import { useRef, useState } from 'react';
import type { Brush } from './brush';
import type { Direction } from './editor-keys';
import { diameterOf, type EditorSettings } from './editor-settings';
import type { MaskDocument } from './mask-document';
import { rectBetween, type Point } from './rect';
import type { GestureHandlers } from './use-gestures';
import type { Pane } from './use-pane';
import { toPicture } from './view';

/** Distance that an arrow key moves the cursor, as a fraction of the brush's diameter. */
const KEY_STEP = 0.5;
/** Points closer to the last point than this fraction of the brush's radius are skipped: they make no visible difference. */
const POINT_STEP = 0.1;

interface MaskToolOptions {
  mask: MaskDocument;
  pane: Pane;
  settings: EditorSettings;
  onChange: (changes: Partial<EditorSettings>) => void;
  /** Moves the ring that shows the brush; null hides it. */
  showRing: (at: Point | null) => void;
  onPoint?: ((place: Point) => void) | undefined;
}

/** Paints, fills boxes, or clicks points, by pointer and by keyboard. */
export function useMaskTool({ mask, pane, settings, onChange, showRing, onPoint }: MaskToolOptions) {
  const { view } = pane;
  const { shape, adds } = settings;
  const isBrush = shape === 'brush';
  const diameter = diameterOf(settings.size, mask);
  const brush: Brush = { radius: diameter / 2, hardness: settings.hardness / 100, adds };
  /** Position of the keyboard cursor in pixels of the mask; null while the user works with a pointer. */
  const [cursor, setCursor] = useState<Point | null>(null);
  const [corners, setCorners] = useState<readonly [Point, Point] | null>(null);
  const lastPoint = useRef<Point | null>(null);
  const drawing = useRef<Point>({ x: 0, y: 0 });

  const paintTo = (place: Point, always: boolean) => {
    const from = lastPoint.current;
    if (from === null) return;
    if (!always && Math.hypot(place.x - from.x, place.y - from.y) < brush.radius * POINT_STEP) return;
    mask.paint(from, place, brush);
    lastPoint.current = place;
  };
  const fillBox = (one: Point, other: Point) => {
    const box = rectBetween(one, other);
    const isDrawn = (box.right - box.left) * view.scale >= 3 && (box.bottom - box.top) * view.scale >= 3;
    // Round, so that the filled box equals the drawn box.
    if (isDrawn)
      mask.fill(
        {
          left: Math.round(box.left),
          top: Math.round(box.top),
          right: Math.round(box.right),
          bottom: Math.round(box.bottom),
        },
        adds ? 255 : 0,
      );
    setCorners(null);
  };
  const pointAt = ({ x, y }: Point) => {
    const place = { x: x / mask.width, y: y / mask.height };
    if (place.x >= 0 && place.x <= 1 && place.y >= 0 && place.y <= 1) onPoint?.(place);
  };

  const gestures: Omit<GestureHandlers, 'onPan' | 'onZoom' | 'canZoomOut'> = {
    onBegin: (at) => {
      const place = toPicture(view, at);
      drawing.current = place;
      setCursor(null);
      if (settings.before) onChange({ before: false });
      if (shape === 'box') setCorners([place, place]);
      if (!isBrush) return;
      showRing(at);
      lastPoint.current = place;
      mask.paint(place, place, brush);
    },
    onDraw: (places) => {
      for (const at of places) {
        drawing.current = toPicture(view, at);
        if (isBrush) paintTo(drawing.current, false);
      }
      const last = places.at(-1);
      if (last !== undefined) showRing(last);
      if (shape === 'box' && corners !== null) setCorners([corners[0], drawing.current]);
    },
    onEnd: () => {
      if (isBrush) {
        paintTo(drawing.current, true);
        mask.commit();
      } else if (shape === 'point') pointAt(drawing.current);
      else if (corners !== null) fillBox(corners[0], drawing.current);
      lastPoint.current = null;
    },
    onCancel: () => {
      lastPoint.current = null;
      mask.cancel();
      setCorners(null);
      showRing(null);
    },
    onHover: (at) => {
      if (at !== null && cursor !== null) setCursor(null);
      if (at !== null || cursor === null) showRing(at);
    },
  };

  const applyAt = (at: Point) => {
    setCursor(at);
    if (settings.before) onChange({ before: false });
    if (shape === 'point') pointAt(at);
    else if (shape === 'box') {
      if (corners === null) setCorners([at, at]);
      else fillBox(corners[0], at);
    } else {
      mask.paint(at, at, brush);
      mask.commit();
    }
  };
  const moveCursor = ([x, y]: Direction, paints: boolean) => {
    const from = cursor ?? middleOf(mask);
    const step = Math.max(1, (isBrush ? diameter : Math.min(mask.width, mask.height) * 0.05) * KEY_STEP);
    const to = {
      x: Math.min(mask.width, Math.max(0, from.x + x * step)),
      y: Math.min(mask.height, Math.max(0, from.y + y * step)),
    };
    setCursor(to);
    pane.reveal(to, 40);
    if (corners !== null) setCorners([corners[0], to]);
    if (!paints || !isBrush) return;
    mask.paint(from, to, brush);
    mask.commit();
  };

  return {
    cursor,
    corners,
    gestures,
    apply: () => applyAt(cursor ?? middleOf(mask)),
    move: moveCursor,
    dropBox: corners === null ? null : () => setCorners(null),
  };
}

const middleOf = ({ width, height }: MaskDocument): Point => ({
  x: Math.round(width / 2),
  y: Math.round(height / 2),
});
