import { useEffect, useId, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import clsx from 'clsx';
import { Trash2, Undo2 } from 'lucide-react';
import { Button } from '../../../shared/ui/button';
import { usePreventTouchScroll } from '../../../shared/lib/use-prevent-touch-scroll';
import { RadioChips } from '../../../shared/ui/radio-chips';
import { drawMask, type Stroke } from './mask';
import type { Painting } from './use-painting';

interface MaskPainterProps {
  url: string;
  painting: Painting;
  /** The image's natural size; null until it has loaded. */
  size: Size | null;
  onSize: (size: Size) => void;
  /** A mask that was found, under the strokes, and the objects that it can be chosen from. */
  found: { canvas: HTMLCanvasElement; objects: readonly { box: Box }[]; choice: number | 'all' } | null;
  onChoose: (index: number) => void;
}

/** In shares of the image. */
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Size {
  width: number;
  height: number;
}

/** The brush size, in percent of the image's shorter side. */
const BRUSH = { min: 2, max: 30, start: 8 };
/** The maximum of the canvas's longer side, in pixels. */
const CANVAS_MAX = 1_400;
/** The distance of an arrow key, as a fraction of the brush. */
const KEY_STEP = 0.5;

/** Of what is removed; the picture shows through. */
const COLOUR = '#e8502f';

const directions: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function MaskPainter({ url, painting, size, onSize, found, onChoose }: MaskPainterProps) {
  const { strokes } = painting;
  const id = useId();
  const canvas = useRef<HTMLCanvasElement>(null);
  const currentStroke = useRef<Stroke | null>(null);
  const [brush, setBrush] = useState(BRUSH.start);
  /** The position of the keyboard's brush, in pixels of the image; null until it is used. */
  const [keyboardBrush, setKeyboardBrush] = useState<{ x: number; y: number } | null>(null);
  const [tool, setTool] = useState<'add' | 'erase'>('add');
  const isEmpty = strokes.length === 0 && found === null;
  const erases = tool === 'erase' && !isEmpty;
  const shown = size && scaled(size);
  const brushPixels =
    size === null ? 0 : Math.max(2, Math.round((Math.min(size.width, size.height) * brush) / 100));

  const draw = () => {
    const context = canvas.current?.getContext('2d');
    if (!context || size === null || shown === null) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, shown.width, shown.height);
    context.scale(shown.width / size.width, shown.height / size.height);
    const current = currentStroke.current;
    drawMask(
      context,
      { found: found?.canvas ?? null, strokes: current === null ? strokes : [...strokes, current] },
      size,
      COLOUR,
    );
  };
  useEffect(draw);

  const hasFound = found !== null;
  useEffect(() => {
    // On a phone, the picture may be above the button that asked for it.
    if (hasFound) canvas.current?.scrollIntoView({ block: 'nearest' });
  }, [hasFound]);

  const toImagePoint = (event: { clientX: number; clientY: number }): [number, number] => {
    const box = canvas.current?.getBoundingClientRect();
    if (!box || size === null) return [0, 0];
    return [
      Math.round(((event.clientX - box.left) / box.width) * size.width),
      Math.round(((event.clientY - box.top) / box.height) * size.height),
    ];
  };
  const stroke = (points: number[]): Stroke => ({ size: brushPixels, points, ...(erases && { erases }) });
  const begin = (event: PointerEvent<HTMLCanvasElement>) => {
    // With a second finger, the touch scrolls or zooms the page.
    if (!event.isPrimary) discard();
    if (event.button !== 0 || !event.isPrimary || size === null) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setKeyboardBrush(null);
    currentStroke.current = stroke(toImagePoint(event));
    draw();
  };
  const move = (event: PointerEvent<HTMLCanvasElement>) => {
    if (currentStroke.current === null || !event.isPrimary) return;
    const coalesced = event.nativeEvent.getCoalescedEvents?.() ?? [];
    for (const passed of coalesced.length > 0 ? coalesced : [event.nativeEvent])
      currentStroke.current.points.push(...toImagePoint(passed));
    draw();
  };
  const end = () => {
    if (currentStroke.current === null) return;
    painting.add(currentStroke.current);
    currentStroke.current = null;
  };
  const discard = () => {
    currentStroke.current = null;
    draw();
  };
  usePreventTouchScroll(canvas, ({ touches }) => touches.length === 1);

  const undoTo = (remaining: number) => {
    if (remaining > 0) return painting.undo();
    painting.clear();
    // The focused button is disabled now.
    canvas.current?.focus({ preventScroll: true });
  };

  const handleKey = (event: KeyboardEvent) => {
    if (size === null) return;
    if (event.key === 'z' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      painting.undo();
      return;
    }
    const at = keyboardBrush ?? { x: Math.round(size.width / 2), y: Math.round(size.height / 2) };
    const direction = directions[event.key];
    if (direction !== undefined) {
      event.preventDefault();
      const next = {
        x: clamp(at.x + direction[0] * brushPixels * KEY_STEP, size.width),
        y: clamp(at.y + direction[1] * brushPixels * KEY_STEP, size.height),
      };
      setKeyboardBrush(next);
      if (event.shiftKey) painting.add(stroke([at.x, at.y, next.x, next.y]));
    } else if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      setKeyboardBrush(at);
      painting.add(stroke([at.x, at.y]));
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
          // Screen readers must pass the keys on.
          // eslint-disable-next-line jsx-a11y/no-interactive-element-to-noninteractive-role
          role="application"
          aria-label="Paint over the object"
          aria-describedby={`${id}-keys`}
          tabIndex={0}
          onPointerDown={begin}
          onPointerMove={move}
          onPointerUp={end}
          onPointerCancel={discard}
          onKeyDown={handleKey}
          className="absolute inset-0 size-full scroll-my-24 cursor-crosshair touch-pinch-zoom opacity-60 outline-offset-[-4px]"
        />
        {found !== null &&
          found.objects.length > 1 &&
          found.objects.map(({ box }, index) => (
            <Marker
              key={index}
              box={box}
              number={index + 1}
              chosen={found.choice === 'all' || found.choice === index}
              onClick={() => onChoose(index)}
            />
          ))}
        {keyboardBrush !== null && size !== null && (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute aspect-square -translate-1/2 rounded-full border-2 border-[white] shadow-[0_0_0_1px_black]"
            style={{
              left: `${(keyboardBrush.x / size.width) * 100}%`,
              top: `${(keyboardBrush.y / size.height) * 100}%`,
              width: `${(brushPixels / size.width) * 100}%`,
            }}
          />
        )}
      </div>
      {!isEmpty && (
        <p className="flex items-center gap-2 text-sm">
          <span
            aria-hidden="true"
            className="size-4 shrink-0 rounded-[3px] border border-edge"
            style={{ background: `color-mix(in srgb, ${COLOUR} 60%, transparent)` }}
          />
          Will be removed
        </p>
      )}
      <p id={`${id}-keys`} className="text-sm text-quiet">
        {found === null ? 'Paint over the whole object.' : 'Correct what was found with the brush.'} With the
        keyboard: arrows move the brush, Space paints, Shift with an arrow paints along the way.
      </p>
      {!isEmpty && (
        <RadioChips
          legend="The brush"
          name="brush"
          value={tool}
          options={[
            { value: 'add', label: 'Adds' },
            { value: 'erase', label: 'Takes away' },
          ]}
          onChange={setTool}
        />
      )}
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
          <Button size="small" onClick={() => undoTo(strokes.length - 1)} disabled={strokes.length === 0}>
            <Undo2 aria-hidden="true" className="size-4" />
            Undo
          </Button>
          <Button size="small" onClick={() => undoTo(0)} disabled={strokes.length === 0}>
            <Trash2 aria-hidden="true" className="size-4" />
            Clear
          </Button>
        </div>
      </div>
      <p role="status" className="sr-only">
        {strokes.length === 0 ? 'Nothing painted' : `${strokes.length} brush strokes`}
        {keyboardBrush !== null &&
          size !== null &&
          `, brush ${percent(keyboardBrush.x, size.width)} from the left, ${percent(keyboardBrush.y, size.height)} from the top`}
      </p>
    </div>
  );
}

interface MarkerProps {
  box: Box;
  number: number;
  chosen: boolean;
  onClick: () => void;
}

/** The number of an object, on the picture: a click chooses it. The keyboard has the list below the name. */
function Marker({ box: { left, top, right, bottom }, number, chosen, onClick }: MarkerProps) {
  return (
    <button
      type="button"
      aria-hidden="true"
      tabIndex={-1}
      // What is hidden from screen readers must not have the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
      className={clsx(
        'absolute grid size-7 -translate-1/2 place-items-center rounded-full border-2 border-[white] text-sm font-bold shadow-[0_0_0_1px_black]',
        chosen ? 'bg-[black] text-[white]' : 'bg-[white] text-[black]',
      )}
      style={{ left: `${50 * (left + right)}%`, top: `${50 * (top + bottom)}%` }}
    >
      {number}
    </button>
  );
}

function scaled({ width, height }: Size): Size {
  const scale = Math.min(1, CANVAS_MAX / Math.max(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

const clamp = (value: number, end: number) => Math.round(Math.min(end, Math.max(0, value)));
const percent = (value: number, of: number) => `${Math.round((value / of) * 100)}%`;
