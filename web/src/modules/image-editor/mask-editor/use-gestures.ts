import { useEffect, useRef, type PointerEvent, type RefObject } from 'react';
import { usePreventTouchScroll } from '../../../shared/lib/use-prevent-touch-scroll';
import type { Point } from './rect';

/** Callbacks for gestures. Points are in pixels from the upper left corner of the element. */
export interface GestureHandlers {
  onBegin: (at: Point) => void;
  /** Called with all points that the pointer passed since the last call. */
  onDraw: (places: Point[]) => void;
  onEnd: () => void;
  /** Called when a second finger turns a stroke into a pinch. */
  onCancel: () => void;
  onPan: (by: Point) => void;
  onZoom: (factor: number, at: Point) => void;
  /** False if the image can't be zoomed out further; the wheel then scrolls the page. */
  canZoomOut: boolean;
  /** Called with the position of a mouse or pen, and with null when it leaves the element. */
  onHover: (at: Point | null) => void;
}

interface Gesture {
  kind: 'none' | 'draw' | 'pan' | 'pinch';
  /** `pointerId` of the pointer that draws or pans. */
  pointer: number;
  touches: Map<number, Point>;
  last: Point;
}

/** Wheel distance in pixels that doubles the zoom. */
const WHEEL_DOUBLES = 400;
/**
 * Wheel distance that doubles the zoom while Ctrl is set. Chromium sends touchpad pinches as such events, in small steps.
 */
const PINCH_DOUBLES = 60;

/**
 * Turns pointer and wheel events into gestures. One finger, a pen or the left mouse button draws. Two fingers pan and zoom,
 * the wheel zooms, and the middle button, or the left button while the pan key is held, pans.
 */
export function useGestures(element: RefObject<HTMLElement | null>, handlers: GestureHandlers) {
  const gesture = useRef<Gesture>({ kind: 'none', pointer: -1, touches: new Map(), last: { x: 0, y: 0 } });
  const panKey = useRef({ held: false, used: false });
  const intended = useRef(false);

  const placeOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const { left, top } = element.current?.getBoundingClientRect() ?? { left: 0, top: 0 };
    return { x: clientX - left, y: clientY - top };
  };

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    // Clicks on buttons above the image are not strokes.
    if (event.target instanceof Element && event.target.closest('button') !== null) return;
    const { current } = gesture;
    const at = placeOf(event);
    if (event.pointerType === 'touch') {
      current.touches.set(event.pointerId, at);
      // A touch while a pen or mouse draws is a palm, so ignore it.
      if (isUsed(current) && !current.touches.has(current.pointer)) return;
      if (current.touches.size > 1) {
        if (current.kind === 'draw') handlers.onCancel();
        current.kind = current.touches.size === 2 ? 'pinch' : 'none';
        return;
      }
    }
    if (event.pointerType === 'pen' && current.touches.size > 0) {
      // A touch before the pen was the palm, so discard its stroke.
      if (current.kind === 'draw') handlers.onCancel();
      current.kind = 'none';
    }
    const pans = event.button === 1 || (event.button === 0 && panKey.current.held);
    if (current.kind !== 'none' || (event.button !== 0 && !pans)) return;
    // Stops the middle button from starting the browser's autoscroll.
    if (pans) event.preventDefault();
    event.currentTarget.setPointerCapture?.(event.pointerId);
    current.kind = pans ? 'pan' : 'draw';
    current.pointer = event.pointerId;
    current.last = at;
    if (pans) panKey.current.used = true;
    else handlers.onBegin(at);
  };

  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const { current } = gesture;
    const at = placeOf(event);
    if (event.movementX !== 0 || event.movementY !== 0) intended.current = true;
    if (event.pointerType !== 'touch') handlers.onHover(at);
    if (current.kind === 'pinch') {
      const before = pairOf(current.touches);
      if (!current.touches.has(event.pointerId) || before === null) return;
      current.touches.set(event.pointerId, at);
      const after = pairOf(current.touches) ?? before;
      handlers.onPan({ x: after.middle.x - before.middle.x, y: after.middle.y - before.middle.y });
      if (before.apart > 0) handlers.onZoom(after.apart / before.apart, after.middle);
    } else if (event.pointerId !== current.pointer) return;
    else if (current.kind === 'pan') {
      handlers.onPan({ x: at.x - current.last.x, y: at.y - current.last.y });
      current.last = at;
    } else if (current.kind === 'draw') {
      const passed = event.nativeEvent.getCoalescedEvents?.() ?? [];
      handlers.onDraw((passed.length > 0 ? passed : [event.nativeEvent]).map(placeOf));
    }
  };

  const finish = (event: PointerEvent<HTMLElement>, done: () => void) => {
    const { current } = gesture;
    current.touches.delete(event.pointerId);
    if (isUsed(current) && event.pointerId !== current.pointer) return;
    if (current.kind === 'draw') done();
    // A pinch ends only when all fingers are lifted, so the last finger doesn't draw.
    if (current.kind !== 'pinch' || current.touches.size === 0) current.kind = 'none';
  };

  useEffect(() => {
    const pane = element.current;
    if (pane === null) return;
    const onWheel = (event: WheelEvent) => {
      // If the page scrolled and the mouse has not moved since, the user is scrolling past the image, so don't zoom.
      const zoomsOut = event.deltaY > 0;
      if (!event.ctrlKey && (!intended.current || (zoomsOut && !handlers.canZoomOut))) return;
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const turned = event.deltaY * lines;
      handlers.onZoom(2 ** (-turned / (event.ctrlKey ? PINCH_DOUBLES : WHEEL_DOUBLES)), placeOf(event));
    };
    const onScroll = () => {
      intended.current = false;
    };
    // React's wheel listeners are passive, so they can't prevent scrolling.
    pane.addEventListener('wheel', onWheel, { passive: false });
    addEventListener('scroll', onScroll, { passive: true });
    return () => {
      pane.removeEventListener('wheel', onWheel);
      removeEventListener('scroll', onScroll);
    };
  });
  usePreventTouchScroll(element, () => true);

  return {
    panKey: {
      press: () => {
        if (!panKey.current.held) panKey.current = { held: true, used: false };
      },
      /** @returns true if the user pressed and released the key without panning */
      release: () => {
        const { held, used } = panKey.current;
        panKey.current.held = false;
        return held && !used;
      },
      drop: () => {
        panKey.current.held = false;
      },
    },
    pointerHandlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp: (event: PointerEvent<HTMLElement>) => finish(event, handlers.onEnd),
      onPointerCancel: (event: PointerEvent<HTMLElement>) => finish(event, handlers.onCancel),
      onPointerLeave: () => handlers.onHover(null),
    },
  };
}

/** True if one pointer draws or pans. */
const isUsed = ({ kind }: Gesture) => kind === 'draw' || kind === 'pan';

function pairOf(touches: Map<number, Point>): { middle: Point; apart: number } | null {
  const [one, other] = [...touches.values()];
  if (one === undefined || other === undefined) return null;
  return {
    middle: { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 },
    apart: Math.hypot(one.x - other.x, one.y - other.y),
  };
}
