import clsx from 'clsx';

/** Loading animation. Hidden from screen readers, so put a text next to it that says what is loading. */
export function Spinner({ className = 'size-4' }: { className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      className={clsx('shrink-0 animate-spin', className)}
    >
      <circle cx="8" cy="8" r="6.25" opacity="0.3" />
      <path d="M8 1.75A6.25 6.25 0 0 1 14.25 8" strokeLinecap="round" />
    </svg>
  );
}

export function Loading({ label }: { label: string }) {
  return (
    <div role="status" className="grid min-h-60 place-items-center">
      <span className="flex items-center gap-3 text-quiet">
        <Spinner className="size-6" />
        {label}
      </span>
    </div>
  );
}
