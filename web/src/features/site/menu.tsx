import { useId, useRef, useState, type ReactNode } from 'react';
import clsx from 'clsx';

interface MenuProps {
  /** Accessible name of the button. */
  label: string;
  trigger: ReactNode;
  className?: string;
  /** Renders the items. Each item must call `close` when it is chosen. */
  children: (close: () => void) => ReactNode;
}

/** A menu that uses the Popover API: the browser closes it on Escape and on a click outside. */
export function Menu({ label, trigger, className, children }: MenuProps) {
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
        {trigger}
        <span className="sr-only">{label}</span>
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        onToggle={(event) => setOpen(event.newState === 'open')}
        className={clsx(
          'panel fixed inset-auto top-15 right-4 m-0 w-60 p-2 text-ink open:grid open:animate-fade',
          'shadow-[0_12px_32px_rgb(0_0_0/0.18)] sm:right-8',
        )}
      >
        {children(() => panel.current?.hidePopover())}
      </div>
    </div>
  );
}

export const menuItemClass =
  'flex min-h-11 w-full items-center gap-3 rounded-control px-3 text-left text-[0.9375rem] hover:bg-tint';
