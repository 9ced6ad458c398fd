import { useState } from 'react';
import clsx from 'clsx';
import { ChevronsLeftRight } from 'lucide-react';

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

/** Two versions of one image, laid over each other: drag, tap or use the arrow keys to move the line between them. */
export function BeforeAfter({ before, after, alt, width, height, className }: BeforeAfterProps) {
  const [place, setPlace] = useState(50);
  return (
    <figure className={clsx('max-w-2xl', className)}>
      <div
        className="relative overflow-hidden rounded-control select-none has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-live"
        style={{ aspectRatio: `${width} / ${height}` }}
      >
        <img
          src={after}
          alt={alt}
          width={width}
          height={height}
          className="checker absolute inset-0 size-full"
        />
        <img
          src={before}
          alt=""
          width={width}
          height={height}
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
        <input
          type="range"
          min={0}
          max={100}
          value={place}
          onChange={({ currentTarget }) => setPlace(currentTarget.valueAsNumber)}
          aria-label="Compare before and after"
          aria-valuetext={`${place}% before, ${100 - place}% after`}
          className="absolute inset-0 size-full cursor-ew-resize touch-pan-y opacity-0"
        />
      </div>
      <figcaption aria-hidden="true" className="mt-2 flex justify-between text-sm text-quiet">
        <span>Before</span>
        <span>After</span>
      </figcaption>
    </figure>
  );
}
