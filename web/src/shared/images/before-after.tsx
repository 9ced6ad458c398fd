import { useRef, useState, type PointerEvent } from 'react';
import clsx from 'clsx';
import { ChevronsLeftRight } from 'lucide-react';
import { useTouchHold } from '../lib/use-touch-hold';

interface BeforeAfterProps {
  before: string;
  after: string;
  /** What the result shows. */
  alt: string;
  /** Pixels of the result; what was sent has the same shape. */
  width: number;
  height: number;
  className?: string;
}

/** A drag under way: where it began, where the line was then, and whether it moves the line. */
interface Drag {
  pointer: number;
  x: number;
  y: number;
  from: number;
  held: boolean;
}

/** Two versions of one image, laid over each other: drag, tap or use the arrow keys to move the line between them. */
export function BeforeAfter({ before, after, alt, width, height, className }: BeforeAfterProps) {
  const [place, setPlace] = useState(50);
  const frame = useRef<HTMLDivElement>(null);
  const slider = useRef<HTMLInputElement>(null);
  const drag = useRef<Drag | null>(null);

  const follow = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width: across } = currentTarget.getBoundingClientRect();
    setPlace(Math.round(Math.min(100, Math.max(0, ((clientX - left) / across) * 100))));
  };
  const begin = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || !event.isPrimary) return;
    const { pointerId: pointer, clientX: x, clientY: y } = event;
    drag.current = { pointer, x, y, from: place, held: event.pointerType !== 'touch' };
    if (!drag.current.held) return;
    event.currentTarget.setPointerCapture(pointer);
    follow(event);
  };
  const move = (event: PointerEvent<HTMLElement>) => {
    if (drag.current?.pointer !== event.pointerId) return;
    const { x, y } = drag.current;
    // A finger that first goes up or down scrolls the page; the browser decides by the same rule.
    drag.current.held ||= Math.abs(event.clientX - x) > Math.abs(event.clientY - y);
    if (drag.current.held) follow(event);
  };
  const end = (event: PointerEvent<HTMLElement>) => {
    if (drag.current?.pointer !== event.pointerId) return;
    follow(event);
    drag.current = null;
  };
  /** The finger scrolls the page instead. */
  const giveUp = () => {
    if (drag.current !== null) setPlace(drag.current.from);
    drag.current = null;
  };
  useTouchHold(frame, () => drag.current?.held === true);

  return (
    <figure className={clsx('max-w-2xl', className)}>
      {/* The keys and screen readers have the slider in it. */}
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events */}
      <div
        ref={frame}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={giveUp}
        onClick={() => slider.current?.focus({ preventScroll: true })}
        className="relative cursor-ew-resize touch-pan-y overflow-hidden rounded-control select-none has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-live"
        style={{ aspectRatio: `${width} / ${height}` }}
      >
        <img
          src={after}
          alt={alt}
          width={width}
          height={height}
          draggable={false}
          className="checker absolute inset-0 size-full"
        />
        <img
          src={before}
          alt=""
          width={width}
          height={height}
          draggable={false}
          className="absolute inset-0 size-full"
          style={{ clipPath: `inset(0 ${100 - place}% 0 0)` }}
        />
        <div
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 w-0.5 -translate-x-1/2 bg-[white] shadow-[0_0_0_1px_rgb(0_0_0/0.35)]"
          style={{ left: `${place}%` }}
        >
          <span className="absolute top-1/2 left-1/2 grid size-9 -translate-1/2 place-items-center rounded-full bg-[white] text-[black] shadow-[0_0_0_1px_rgb(0_0_0/0.35)]">
            <ChevronsLeftRight className="size-5" />
          </span>
        </div>
        {/* By pointer the line stands under the finger itself, which a thumb of some width would not. */}
        <input
          ref={slider}
          type="range"
          min={0}
          max={100}
          value={place}
          onChange={({ currentTarget }) => setPlace(currentTarget.valueAsNumber)}
          aria-label="Compare before and after"
          aria-valuetext={`${place}% before, ${100 - place}% after`}
          className="pointer-events-none absolute inset-0 size-full opacity-0"
        />
      </div>
      <figcaption aria-hidden="true" className="mt-2 flex justify-between text-sm text-quiet">
        <span>Before</span>
        <span>After</span>
      </figcaption>
    </figure>
  );
}
