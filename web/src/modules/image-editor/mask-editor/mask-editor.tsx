import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import clsx from 'clsx';
import { useTheme } from '../../../shared/theme';
import type { Brush } from './brush';
import { BoxFrame, Crosshair, PictureLayer } from './editor-layers';
import { pressKey, worksOn, type Direction, type KeyTarget } from './editor-keys';
import { diameterOf, useEditorSettings } from './editor-settings';
import { MaskBar } from './mask-bar';
import { MaskCanvas } from './mask-canvas';
import type { MaskDocument } from './mask-document';
import { paletteOf, type MaskStyle, type MaskPurpose } from './mask-style';
import { rectBetween, type Point } from './rect';
import { useGestures } from './use-gestures';
import { useMaskRevision } from './use-mask-draft';
import { usePane } from './use-pane';
import { toPane, toPicture } from './view';

interface MaskEditorProps {
  mask: MaskDocument;
  purpose: MaskPurpose;
  picture: string;
  /** URL of the image with the colours that the result will have; covers `picture`. */
  colours?: string | null;
  label: string;
  /** False if the user can only erase from the mask. */
  canAdd?: boolean;
  /** Called with a clicked point to find the object there. Coordinates are fractions of the image's width and height. */
  onPoint?: (place: Point) => void;
  note?: ReactNode;
  /** True if the editor fills the height of its container. */
  fills?: boolean;
  /** Called with true when the user begins a box, which Escape then cancels, and with false when the box ends. */
  onBox?: (begun: boolean) => void;
  /** Layers above the image, positioned in percent of its width and height. */
  children?: ReactNode;
}

const squares = { light: [255, 226], dark: [52, 34] } as const;

/** Distance that an arrow key moves the cursor, as a fraction of the brush's diameter. */
const KEY_STEP = 0.5;
/** Points closer to the last point than this fraction of the brush's radius are skipped: they make no visible difference. */
const POINT_STEP = 0.1;

/** Lets the user edit a mask over an image by pointer, touch or keyboard. */
export function MaskEditor(props: MaskEditorProps) {
  const {
    mask,
    purpose,
    picture,
    colours = null,
    label,
    canAdd = true,
    onPoint,
    onBox,
    fills = false,
  } = props;
  const id = useId();
  const { settings, change } = useEditorSettings(purpose);
  const paneElement = useRef<HTMLDivElement>(null);
  const ring = useRef<HTMLSpanElement>(null);
  const pane = usePane(paneElement, mask);
  const { view } = pane;
  useMaskRevision(mask);
  /** Position of the keyboard cursor in pixels of the mask; null while the user works with a pointer. */
  const [cursor, setCursor] = useState<Point | null>(null);
  const [corners, setCorners] = useState<readonly [Point, Point] | null>(null);
  const hasBox = corners !== null;
  useEffect(() => onBox?.(hasBox), [onBox, hasBox]);
  const lastPoint = useRef<Point | null>(null);
  const theme = useTheme();
  const palette = useMemo(
    () => paletteOf(settings.maskStyle, purpose, squares[theme]),
    [settings.maskStyle, purpose, theme],
  );

  const diameter = diameterOf(settings.size, mask);
  const adds = settings.adds && canAdd;
  const brush: Brush = { radius: diameter / 2, hardness: settings.hardness / 100, adds };
  const shape = settings.shape === 'point' && onPoint === undefined ? 'brush' : settings.shape;
  const isBrush = shape === 'brush';

  const showRing = (at: Point | null) => {
    if (ring.current === null) return;
    ring.current.hidden = at === null || !isBrush;
    if (at === null) return;
    ring.current.style.left = `${at.x}px`;
    ring.current.style.top = `${at.y}px`;
  };
  useLayoutEffect(() => {
    if (cursor !== null) showRing(toPane(view, cursor));
  });

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

  const drawing = useRef<Point>({ x: 0, y: 0 });
  const gestures = useGestures(paneElement, {
    onBegin: (at) => {
      const place = toPicture(view, at);
      drawing.current = place;
      setCursor(null);
      if (settings.before) change({ before: false });
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
    onPan: pane.pan,
    onZoom: pane.zoom,
    canZoomOut: !pane.fitted,
    onHover: (at) => {
      if (at !== null && cursor !== null) setCursor(null);
      if (at !== null || cursor === null) showRing(at);
    },
  });

  const applyAt = (at: Point) => {
    setCursor(at);
    if (settings.before) change({ before: false });
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

  const apply = () => applyAt(cursor ?? middleOf(mask));
  const keys: KeyTarget = {
    ...{ mask, pane, settings, change, canAdd, apply },
    canPoint: onPoint !== undefined,
    move: moveCursor,
    holdPan: gestures.panKey.press,
    dropBox: corners === null ? null : () => setCorners(null),
  };

  const root = useRef<HTMLDivElement>(null);
  const pressElsewhere = useEffectEvent((event: KeyboardEvent) => {
    const isOwn = event.target === paneElement.current || event.defaultPrevented;
    if (!isOwn && worksOn(event, event.target) && pressKey(event, keys)) event.preventDefault();
  });
  useEffect(() => {
    // In a dialog, the keys work on its other buttons too.
    const scope = root.current?.closest<HTMLElement>('[role=dialog]') ?? root.current;
    const listener = (event: KeyboardEvent) => pressElsewhere(event);
    scope?.addEventListener('keydown', listener);
    return () => scope?.removeEventListener('keydown', listener);
  }, []);

  return (
    <div
      ref={root}
      className={clsx('@container grid gap-3', fills && 'flex-1 grid-rows-[minmax(14rem,1fr)_auto]')}
    >
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={paneElement}
        // With this role, screen readers pass key presses to the editor.
        role="application"
        aria-label={label}
        aria-describedby={`${id}-how`}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        {...gestures.pointerHandlers}
        onKeyDown={(event) => {
          if (event.target === event.currentTarget && pressKey(event, keys)) event.preventDefault();
        }}
        onKeyUp={(event) => {
          if (event.code === 'Space' && gestures.panKey.release()) apply();
        }}
        onBlur={gestures.panKey.drop}
        className={clsx(
          'relative w-full scroll-my-24 touch-none overflow-hidden rounded-[4px] bg-sunken select-none',
          isBrush ? 'cursor-none' : shape === 'box' ? 'cursor-crosshair' : 'cursor-pointer',
          !fills && 'max-h-[min(30rem,65dvh)]',
        )}
        style={fills ? undefined : { aspectRatio: `${mask.width} / ${mask.height}` }}
      >
        <PictureLayer pane={pane} mask={mask}>
          <img
            src={picture}
            alt="Preview"
            draggable={false}
            className={clsx('size-full', !canAdd && 'checker')}
          />
          {colours !== null && (
            <img
              src={colours}
              alt=""
              draggable={false}
              hidden={settings.before}
              className="absolute inset-0 size-full"
            />
          )}
        </PictureLayer>
        <MaskCanvas mask={mask} view={view} size={pane.size} palette={palette} hidden={settings.before} />
        <PictureLayer pane={pane} mask={mask} over>
          {props.children}
          {corners !== null && <BoxFrame corners={corners} mask={mask} />}
          {cursor !== null && !isBrush && <Crosshair at={cursor} mask={mask} />}
        </PictureLayer>
        <span
          ref={ring}
          aria-hidden="true"
          hidden
          className="pointer-events-none absolute -translate-1/2 rounded-full border border-[white] shadow-[0_0_0_1px_black,inset_0_0_0_1px_rgb(0_0_0/0.4)]"
          style={{
            width: Math.max(4, diameter * view.scale),
            height: Math.max(4, diameter * view.scale),
          }}
        />
      </div>
      <div className="grid gap-3">
        <p id={`${id}-how`} className="text-sm text-quiet">
          {legends[purpose][settings.maskStyle]}
          <span className="sr-only">
            {' '}
            Arrow keys move the brush, Space or Enter paints, Shift with an arrow key paints while moving.
            {onPoint !== undefined && ' With the Click tool, they select the object at that point.'} The
            Shortcuts button lists all keys.
          </span>
        </p>
        {props.note}
        <MaskBar
          mask={mask}
          purpose={purpose}
          pane={pane}
          settings={{ ...settings, shape, adds }}
          onChange={change}
          canAdd={canAdd}
          canPoint={onPoint !== undefined}
          onUndo={() => mask.undo()}
          onRedo={() => mask.redo()}
          onReset={() => mask.reset()}
        />
      </div>
      <p role="status" className="sr-only">
        {mask.steps === 0 ? 'Nothing changed' : `${mask.steps} ${mask.steps === 1 ? 'change' : 'changes'}`}
        {cursor !== null &&
          `, brush ${percent(cursor.x, mask.width)} from the left, ${percent(cursor.y, mask.height)} from the top`}
      </p>
    </div>
  );
}

const legends: Record<MaskPurpose, Record<MaskStyle, string>> = {
  remove: {
    red: 'Red areas will be removed.',
    checkerboard: 'Checkered areas will be removed.',
    'black-and-white': 'White areas will be removed.',
  },
  keep: {
    red: 'Red areas are removed.',
    checkerboard: 'Checkered areas are transparent.',
    'black-and-white': 'White areas are kept, black areas are removed.',
  },
};

const middleOf = ({ width, height }: MaskDocument): Point => ({
  x: Math.round(width / 2),
  y: Math.round(height / 2),
});
const percent = (value: number, of: number) => `${Math.round((value / of) * 100)}%`;
