import { useRef, useState, type PointerEvent, type ReactNode } from 'react';
import clsx from 'clsx';
import { ChevronsLeftRight } from 'lucide-react';
import { usePreventTouchScroll } from '../../shared/lib/use-prevent-touch-scroll';

interface BeforeAfterProps {
  before: string;
  after: string;
  alt: string;
  /** Width and height of `after` in pixels; `before` has the same aspect ratio. */
  width: number;
  height: number;
  className?: string;
  /** Layers above the images, positioned in percent. */
  children?: ReactNode;
}

interface Drag {
  pointerId: number;
  startX: number;
  startY: number;
  startPosition: number;
  /** True if the drag moves the divider, false while a touch may still scroll the page. */
  moving: boolean;
}

/** Shows two versions of an image side by side. The user moves the divider by drag, tap or arrow keys. */
export function BeforeAfter({ before, after, alt, width, height, className, children }: BeforeAfterProps) {
  const [position, setPosition] = useState(50);
  const frame = useRef<HTMLDivElement>(null);
  const slider = useRef<HTMLInputElement>(null);
  const drag = useRef<Drag | null>(null);

  const follow = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width: frameWidth } = currentTarget.getBoundingClientRect();
    setPosition(Math.round(Math.min(100, Math.max(0, ((clientX - left) / frameWidth) * 100))));
  };
  const begin = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || !event.isPrimary) return;
    const { pointerId, clientX: startX, clientY: startY } = event;
    const moving = event.pointerType !== 'touch';
    drag.current = { pointerId, startX, startY, startPosition: position, moving };
    if (!moving) return;
    event.currentTarget.setPointerCapture(pointerId);
    follow(event);
  };
  const move = (event: PointerEvent<HTMLElement>) => {
    if (drag.current?.pointerId !== event.pointerId) return;
    const { startX, startY } = drag.current;
    // A mostly vertical touch scrolls the page instead. Browsers use the same rule for `touch-action: pan-y`.
    drag.current.moving ||= Math.abs(event.clientX - startX) > Math.abs(event.clientY - startY);
    if (drag.current.moving) follow(event);
  };
  const end = (event: PointerEvent<HTMLElement>) => {
    if (drag.current?.pointerId !== event.pointerId) return;
    follow(event);
    drag.current = null;
  };
  /** Restores the position when the browser takes over the touch to scroll the page. */
  const cancel = () => {
    if (drag.current !== null) setPosition(drag.current.startPosition);
    drag.current = null;
  };
  usePreventTouchScroll(frame, () => drag.current?.moving === true);

  return (
    <figure className={clsx('max-w-2xl', className)}>
      {/* Pointer events only: keyboard and screen reader users have the slider inside. */}
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events */}
      <div
        ref={frame}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={cancel}
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
          style={{ clipPath: `inset(0 ${100 - position}% 0 0)` }}
        />
        <div
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 w-0.5 -translate-x-1/2 bg-[white] shadow-[0_0_0_1px_rgb(0_0_0/0.35)]"
          style={{ left: `${position}%` }}
        >
          <span className="absolute top-1/2 left-1/2 grid size-9 -translate-1/2 place-items-center rounded-full bg-[white] text-[black] shadow-[0_0_0_1px_rgb(0_0_0/0.35)]">
            <ChevronsLeftRight className="size-5" />
          </span>
        </div>
        {children}
        {/* Ignores pointers, since the thumb of a native slider would not be exactly under the pointer. */}
        <input
          ref={slider}
          type="range"
          min={0}
          max={100}
          value={position}
          onChange={({ currentTarget }) => setPosition(currentTarget.valueAsNumber)}
          aria-label="Compare before and after"
          aria-valuetext={`${position}% before, ${100 - position}% after`}
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
