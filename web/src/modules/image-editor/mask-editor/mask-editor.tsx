import { useEffect, useId, useLayoutEffect, useMemo, useRef, type ReactNode } from 'react';
import clsx from 'clsx';
import { useTheme } from '../../../shared/theme';
import { BoxFrame, Crosshair, PictureLayer } from './editor-layers';
import { pressKey, type KeyTarget } from './editor-keys';
import { diameterOf, useEditorSettings } from './editor-settings';
import { MaskBar } from './mask-bar';
import { MaskCanvas } from './mask-canvas';
import type { MaskDocument } from './mask-document';
import { paletteOf, type MaskStyle, type MaskPurpose } from './mask-style';
import type { Point } from './rect';
import { useGestures } from './use-gestures';
import { useKeysElsewhere } from './use-keys-elsewhere';
import { useMaskRevision } from './use-mask-draft';
import { useMaskTool } from './use-mask-tool';
import { usePane } from './use-pane';
import { toPane } from './view';

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
  const canPoint = onPoint !== undefined;
  const { settings, change } = useEditorSettings(purpose, { canAdd, canPoint });
  const { shape } = settings;
  const isBrush = shape === 'brush';
  const root = useRef<HTMLDivElement>(null);
  const paneElement = useRef<HTMLDivElement>(null);
  const ring = useRef<HTMLSpanElement>(null);
  const pane = usePane(paneElement, mask);
  const { view } = pane;
  useMaskRevision(mask);
  const theme = useTheme();
  const palette = useMemo(
    () => paletteOf(settings.maskStyle, purpose, squares[theme]),
    [settings.maskStyle, purpose, theme],
  );

  const showRing = (at: Point | null) => {
    if (ring.current === null) return;
    ring.current.hidden = at === null || !isBrush;
    if (at === null) return;
    ring.current.style.left = `${at.x}px`;
    ring.current.style.top = `${at.y}px`;
  };
  const tool = useMaskTool({ mask, pane, settings, onChange: change, showRing, onPoint });
  const { cursor, corners, apply } = tool;
  useLayoutEffect(() => {
    if (cursor !== null) showRing(toPane(view, cursor));
  });
  const hasBox = corners !== null;
  useEffect(() => onBox?.(hasBox), [onBox, hasBox]);

  const gestures = useGestures(paneElement, {
    ...tool.gestures,
    onPan: pane.pan,
    onZoom: pane.zoom,
    canZoomOut: !pane.fitted,
  });
  const keys: KeyTarget = {
    ...{ mask, pane, settings, change, canAdd, canPoint, apply },
    move: tool.move,
    holdPan: gestures.panKey.press,
    dropBox: tool.dropBox,
  };
  useKeysElsewhere(root, paneElement, keys);
  const ringSize = Math.max(4, diameterOf(settings.size, mask) * view.scale);

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
          style={{ width: ringSize, height: ringSize }}
        />
      </div>
      <div className="grid gap-3">
        <p id={`${id}-how`} className="text-sm text-quiet">
          {legends[purpose][settings.maskStyle]}
          <span className="sr-only">
            {' '}
            Arrow keys move the brush, Space or Enter paints, Shift with an arrow key paints while moving.
            {canPoint && ' With the Click tool, they select the object at that point.'} The Shortcuts button
            lists all keys.
          </span>
        </p>
        {props.note}
        <MaskBar
          mask={mask}
          purpose={purpose}
          pane={pane}
          settings={settings}
          onChange={change}
          canAdd={canAdd}
          canPoint={canPoint}
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

const percent = (value: number, of: number) => `${Math.round((value / of) * 100)}%`;
