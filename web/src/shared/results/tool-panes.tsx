import type { ReactNode } from 'react';
import clsx from 'clsx';

interface ToolPanesProps {
  form: ReactNode;
  /** Whether the form is as wide as the proof, for one that is worked in. */
  even?: boolean;
  /** The tool's latest jobs. */
  jobs: ReactNode;
  /** The proof. */
  children: ReactNode;
}

/** A tool's page: the form and the latest jobs left, the proof right; on a phone the proof follows the form. */
export function ToolPanes({ form, even = false, jobs, children }: ToolPanesProps) {
  return (
    <div
      className={clsx(
        'grid grid-cols-1 items-start gap-10 lg:grid-rows-[auto_1fr] lg:gap-x-6 xl:gap-x-14',
        even
          ? 'lg:grid-cols-2'
          : 'lg:grid-cols-[17.5rem_minmax(0,1fr)] xl:grid-cols-[minmax(18rem,22rem)_minmax(0,1fr)]',
      )}
    >
      <div className="min-w-0">{form}</div>
      <div className="min-w-0 lg:col-start-2 lg:row-span-2 lg:row-start-1">{children}</div>
      <div className="min-w-0">{jobs}</div>
    </div>
  );
}
