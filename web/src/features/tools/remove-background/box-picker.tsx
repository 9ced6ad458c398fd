import { useEffect, useId, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { flushSync } from 'react-dom';
import { SquareDashed, Trash2 } from 'lucide-react';
import { MIN_BOX_SIDE, type ImageBox } from '#libs/contract/images.js';
import { usePreventTouchScroll } from '../../../shared/lib/use-prevent-touch-scroll';
import { Button } from '../../../shared/ui/button';

interface BoxPickerProps {
  url: string;
  box: ImageBox | null;
  onChange: (box: ImageBox | null) => void;
}

const START: ImageBox = { left: 0.2, top: 0.2, right: 0.8, bottom: 0.8 };
/** Distance that an arrow key moves the box, as a fraction of the image's width or height. */
const STEP = 0.02;

const directions: Record<string, readonly [x: number, y: number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

/** Shows an image on which the user can draw a box around the part to keep. */
export function BoxPicker({ url, box, onChange }: BoxPickerProps) {
  const [drawing, setDrawing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (drawing || box !== null) {
    return (
      <BoxArea
        url={url}
        box={box}
        onChange={onChange}
        onEnd={() => {
          // Render synchronously, since the button to focus exists only after the render.
          flushSync(() => {
            setDrawing(false);
            onChange(null);
          });
          button.current?.focus();
        }}
      />
    );
  }
  return (
    <div className="grid gap-3">
      <img src={url} alt="Preview" className="mx-auto max-h-80 rounded-[4px] object-contain" />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pl-1.5">
        <p className="min-w-48 flex-1 text-sm text-quiet">Wrong subject? Draw a box around what to keep.</p>
        <Button ref={button} size="small" onClick={() => setDrawing(true)}>
          <SquareDashed aria-hidden="true" className="size-4" />
          Draw a box
        </Button>
      </div>
    </div>
  );
}

function BoxArea({ url, box, onChange, onEnd }: BoxPickerProps & { onEnd: () => void }) {
  const id = useId();
  const area = useRef<HTMLDivElement>(null);
  const [corner, setCorner] = useState<{ x: number; y: number } | null>(null);
  const [drawn, setDrawn] = useState<ImageBox | null>(null);
  useEffect(() => area.current?.focus({ preventScroll: true }), []);
  usePreventTouchScroll(area, ({ touches }) => touches.length === 1);
  const visibleBox = drawn ?? box;

  const toPoint = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    const { left, top, width, height } = area.current?.getBoundingClientRect() ?? new DOMRect();
    return { x: clamp((clientX - left) / width), y: clamp((clientY - top) / height) };
  };
  const begin = (event: PointerEvent<HTMLDivElement>) => {
    // A second finger makes the touch a scroll or zoom gesture, so cancel the box.
    if (!event.isPrimary) return end(null);
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setCorner(toPoint(event));
  };
  const boxTo = (event: PointerEvent<HTMLDivElement>): ImageBox | null => {
    if (corner === null || !event.isPrimary) return null;
    const { x, y } = toPoint(event);
    return {
      left: Math.min(x, corner.x),
      top: Math.min(y, corner.y),
      right: Math.max(x, corner.x),
      bottom: Math.max(y, corner.y),
    };
  };
  const end = (next: ImageBox | null) => {
    setCorner(null);
    setDrawn(null);
    // Ignore clicks and tiny boxes.
    if (next !== null && isLargeEnough(next)) onChange(next);
  };

  const handleKey = (event: KeyboardEvent) => {
    const direction = directions[event.key];
    if (direction !== undefined) {
      event.preventDefault();
      const [x, y] = direction;
      const next = box === null ? START : event.shiftKey ? resized(box, x, y) : moved(box, x, y);
      if (isLargeEnough(next)) onChange(next);
    } else if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      if (box === null) onChange(START);
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      onChange(null);
    }
  };

  return (
    <div className="grid gap-3">
      {/* With the role `application`, screen readers pass key presses to the page. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={area}
        role="application"
        aria-label="Draw a box around what to keep"
        aria-describedby={`${id}-keys`}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onPointerDown={begin}
        onPointerMove={(event) => setDrawn(boxTo(event) ?? drawn)}
        // Use the event's position, not the state, which may not have the last move yet.
        onPointerUp={(event) => end(boxTo(event))}
        onPointerCancel={() => end(null)}
        onKeyDown={handleKey}
        className="relative mx-auto w-fit cursor-crosshair touch-pinch-zoom overflow-hidden rounded-[4px] select-none"
      >
        <img src={url} alt="Preview" draggable={false} className="max-h-[28rem] max-w-full" />
        {visibleBox !== null && (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute border-2 border-[white] shadow-[0_0_0_1px_black,0_0_0_100rem_rgb(0_0_0/0.55)]"
            style={{
              left: percent(visibleBox.left),
              top: percent(visibleBox.top),
              width: percent(visibleBox.right - visibleBox.left),
              height: percent(visibleBox.bottom - visibleBox.top),
            }}
          />
        )}
      </div>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <p id={`${id}-keys`} className="min-w-52 flex-1 text-sm text-quiet">
          Draw a box around what to keep, with a little room. With the keyboard: Space sets a box, arrows move
          it, Shift with an arrow changes its size.
        </p>
        <Button size="small" onClick={onEnd}>
          <Trash2 aria-hidden="true" className="size-4" />
          Remove box
        </Button>
      </div>
      <p role="status" className="sr-only">
        {box === null
          ? 'No box: the whole image is searched'
          : `Box from ${percent(box.left)} to ${percent(box.right)} across and from ${percent(box.top)} to ${percent(box.bottom)} down`}
      </p>
    </div>
  );
}

const isLargeEnough = ({ left, top, right, bottom }: ImageBox) =>
  right - left >= MIN_BOX_SIDE && bottom - top >= MIN_BOX_SIDE;

function moved({ left, top, right, bottom }: ImageBox, x: number, y: number): ImageBox {
  const across = Math.min(1 - right, Math.max(-left, x));
  const down = Math.min(1 - bottom, Math.max(-top, y));
  return { left: left + across, top: top + down, right: right + across, bottom: bottom + down };
}

const resized = (box: ImageBox, x: number, y: number): ImageBox => ({
  ...box,
  right: clamp(box.right + x),
  bottom: clamp(box.bottom + y),
});

const clamp = (share: number) => Math.min(1, Math.max(0, share));
const percent = (share: number) => `${Math.round(share * 100)}%`;
