import { useEffect, useId, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { Trash2, Undo2 } from 'lucide-react';
import { Button } from '../../../shared/ui/button';
import { useTouchHold } from '../../../shared/lib/use-touch-hold';
import { drawStrokes, type Stroke } from './strokes';
import type { Painting } from './use-painting';

interface MaskPainterProps {
  /** The image's address. */
  url: string;
  painting: Painting;
  /** The image's own size in pixels; null until it has loaded. */
  size: Size | null;
  onSize: (size: Size) => void;
}

export interface Size {
  width: number;
  height: number;
}

/** The brush, in percent of the image's shorter side. */
const BRUSH = { min: 2, max: 30, start: 8 };
/** Pixels of the canvas's longer side: what a screen shows, however large the image is. */
const CANVAS_MAX = 1_400;
/** How far an arrow key moves the brush, as a share of it. */
const KEY_STEP = 0.5;

const directions: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Paints over an image with mouse, pen, finger or keys. */
export function MaskPainter({ url, painting, size, onSize }: MaskPainterProps) {
  const { strokes } = painting;
  const id = useId();
  const canvas = useRef<HTMLCanvasElement>(null);
  const live = useRef<Stroke | null>(null);
  const [brush, setBrush] = useState(BRUSH.start);
  /** Where the keys have moved the brush, in pixels of the image; null until they are used. */
  const [pen, setPen] = useState<{ x: number; y: number } | null>(null);
  const shown = size && scaled(size);
  const brushPixels =
    size === null ? 0 : Math.max(2, Math.round((Math.min(size.width, size.height) * brush) / 100));

  const draw = () => {
    const context = canvas.current?.getContext('2d');
    if (!context || size === null || shown === null) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, shown.width, shown.height);
    context.scale(shown.width / size.width, shown.height / size.height);
    drawStrokes(context, live.current === null ? strokes : [...strokes, live.current], '#e8502f');
  };
  useEffect(draw);

  const place = (event: { clientX: number; clientY: number }): [number, number] => {
    const box = canvas.current?.getBoundingClientRect();
    if (!box || size === null) return [0, 0];
    return [
      Math.round(((event.clientX - box.left) / box.width) * size.width),
      Math.round(((event.clientY - box.top) / box.height) * size.height),
    ];
  };
  const begin = (event: PointerEvent<HTMLCanvasElement>) => {
    // A second finger: the two of them scroll or zoom the page.
    if (!event.isPrimary) drop();
    if (event.button !== 0 || !event.isPrimary || size === null) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setPen(null);
    live.current = { size: brushPixels, points: place(event) };
    draw();
  };
  const move = (event: PointerEvent<HTMLCanvasElement>) => {
    if (live.current === null || !event.isPrimary) return;
    const passed = event.nativeEvent.getCoalescedEvents?.() ?? [];
    for (const one of passed.length > 0 ? passed : [event.nativeEvent])
      live.current.points.push(...place(one));
    draw();
  };
  const end = () => {
    if (live.current === null) return;
    painting.add(live.current);
    live.current = null;
  };
  const drop = () => {
    live.current = null;
    draw();
  };
  useTouchHold(canvas, ({ touches }) => touches.length === 1);

  const takeBack = (left: number) => {
    if (left > 0) return painting.undo();
    painting.clear();
    // The buttons are disabled now, and would take the focus with them.
    canvas.current?.focus({ preventScroll: true });
  };

  const press = (event: KeyboardEvent) => {
    if (size === null) return;
    if (event.key === 'z' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      painting.undo();
      return;
    }
    const at = pen ?? { x: Math.round(size.width / 2), y: Math.round(size.height / 2) };
    const direction = directions[event.key];
    if (direction !== undefined) {
      event.preventDefault();
      const next = {
        x: within(at.x + direction[0] * brushPixels * KEY_STEP, size.width),
        y: within(at.y + direction[1] * brushPixels * KEY_STEP, size.height),
      };
      setPen(next);
      if (event.shiftKey) painting.add({ size: brushPixels, points: [at.x, at.y, next.x, next.y] });
    } else if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      setPen(at);
      painting.add({ size: brushPixels, points: [at.x, at.y] });
    }
  };

  return (
    <div className="grid gap-3">
      <div className="relative mx-auto w-fit overflow-hidden rounded-[4px]">
        <img
          src={url}
          alt="Preview"
          onLoad={({ currentTarget }) =>
            onSize({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
          }
          className="max-h-[28rem] max-w-full"
        />
        <canvas
          ref={canvas}
          width={shown?.width ?? 1}
          height={shown?.height ?? 1}
          // It takes keys of its own, which a screen reader must hand on to it.
          // eslint-disable-next-line jsx-a11y/no-interactive-element-to-noninteractive-role
          role="application"
          aria-label="Paint over the object"
          aria-describedby={`${id}-keys`}
          tabIndex={0}
          onPointerDown={begin}
          onPointerMove={move}
          onPointerUp={end}
          onPointerCancel={drop}
          onKeyDown={press}
          className="absolute inset-0 size-full cursor-crosshair touch-pinch-zoom opacity-60 outline-offset-[-4px]"
        />
        {pen !== null && size !== null && (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute aspect-square -translate-1/2 rounded-full border-2 border-[white] shadow-[0_0_0_1px_black]"
            style={{
              left: `${(pen.x / size.width) * 100}%`,
              top: `${(pen.y / size.height) * 100}%`,
              width: `${(brushPixels / size.width) * 100}%`,
            }}
          />
        )}
      </div>
      <p id={`${id}-keys`} className="text-sm text-quiet">
        Paint over the whole object. With the keyboard: arrows move the brush, Space paints, Shift with an
        arrow paints along the way.
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <label className="flex flex-1 items-center gap-3 text-sm font-semibold whitespace-nowrap">
          Brush size
          <input
            type="range"
            min={BRUSH.min}
            max={BRUSH.max}
            value={brush}
            onChange={({ currentTarget }) => setBrush(currentTarget.valueAsNumber)}
            className="h-11 min-w-24 flex-1 accent-accent"
          />
        </label>
        <div className="flex gap-2">
          <Button size="small" onClick={() => takeBack(strokes.length - 1)} disabled={strokes.length === 0}>
            <Undo2 aria-hidden="true" className="size-4" />
            Undo
          </Button>
          <Button size="small" onClick={() => takeBack(0)} disabled={strokes.length === 0}>
            <Trash2 aria-hidden="true" className="size-4" />
            Clear
          </Button>
        </div>
      </div>
      <p role="status" className="sr-only">
        {strokes.length === 0 ? 'Nothing painted' : `${strokes.length} brush strokes`}
        {pen !== null &&
          size !== null &&
          `, brush ${percent(pen.x, size.width)} from the left, ${percent(pen.y, size.height)} from the top`}
      </p>
    </div>
  );
}

function scaled({ width, height }: Size): Size {
  const share = Math.min(1, CANVAS_MAX / Math.max(width, height));
  return { width: Math.round(width * share), height: Math.round(height * share) };
}

const within = (value: number, end: number) => Math.round(Math.min(end, Math.max(0, value)));
const percent = (value: number, of: number) => `${Math.round((value / of) * 100)}%`;
