import { useId, useRef, useState, type ReactNode } from 'react';
import clsx from 'clsx';

interface MenuProps {
  /** What the button is called. */
  label: string;
  /** What the button shows. */
  face: ReactNode;
  className?: string;
  /** The links and buttons in it. Each calls `close`. */
  children: (close: () => void) => ReactNode;
}

/** A panel below a button of the site's bar. The browser's own popover closes it on Escape and on a click beside it. */
export function Menu({ label, face, className, children }: MenuProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  return (
    <div className={className}>
      <button
        type="button"
        popoverTarget={id}
        aria-expanded={open}
        className="grid size-11 place-items-center rounded-control text-quiet transition-colors hover:bg-tint hover:text-ink"
      >
        {face}
        <span className="sr-only">{label}</span>
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        onToggle={(event) => setOpen(event.newState === 'open')}
        className={clsx(
          'sheet fixed inset-auto top-15 right-4 m-0 w-60 p-2 text-ink open:grid open:animate-fade',
          'shadow-[0_12px_32px_rgb(0_0_0/0.18)] sm:right-8',
        )}
      >
        {children(() => panel.current?.hidePopover())}
      </div>
    </div>
  );
}

/** How a link or button in a menu looks. */
export const menuItemClass =
  'flex min-h-11 w-full items-center gap-3 rounded-control px-3 text-left text-[0.9375rem] hover:bg-tint';
