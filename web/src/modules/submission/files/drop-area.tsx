import type { ReactNode } from 'react';
import clsx from 'clsx';

interface DropAreaProps {
  /** ID of the file input, which must be the previous sibling and have the class `peer`. */
  inputId: string;
  dragging: boolean;
  invalid: boolean;
  className: string;
  children: ReactNode;
}

/** The dashed area that the user clicks or drops a file into. */
export function DropArea({ inputId, dragging, invalid, className, children }: DropAreaProps) {
  return (
    <label
      htmlFor={inputId}
      className={clsx(
        'grid cursor-pointer place-items-center rounded-control border border-dashed text-center transition-colors duration-150',
        'peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-live',
        dragging ? 'border-ink bg-tint' : invalid ? 'border-danger' : 'border-edge hover:border-ink',
        className,
      )}
    >
      {children}
    </label>
  );
}
