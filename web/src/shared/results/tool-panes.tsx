import type { ReactNode } from 'react';
import clsx from 'clsx';

interface ToolPanesProps {
  form: ReactNode;
  /** Whether the form is as wide as the result. */
  even?: boolean;
  jobs: ReactNode;
  children: ReactNode;
}

/** The layout of a tool's page: form and jobs left, result right; on a phone the result follows the form. */
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
