import type { ReactNode } from 'react';
import clsx from 'clsx';
import { ToolHeading } from '../../../shared/tools/tool-heading';
import { JobList } from './job-list';
import type { ToolRun } from './use-tool-run';

interface ToolPageProps {
  run: ToolRun;
  lead: string;
  form: ReactNode;
  /** True if form and result have the same width. */
  even?: boolean;
  jobsTitle: string;
  children: ReactNode;
}

/** Layout of a tool's page: form and jobs on the left, result on the right. On phones, the result follows the form. */
export function ToolPage({ run, lead, form, even = false, jobsTitle, children }: ToolPageProps) {
  // Two results side by side need the full width, so the form moves below them.
  const isWide = run.earlierId !== null;
  return (
    <>
      <ToolHeading tool={run.tool} lead={lead} />
      <div
        className={clsx(
          'grid items-start gap-10',
          !isWide && 'lg:grid-rows-[auto_1fr] lg:gap-x-6 xl:gap-x-14',
          !isWide &&
            (even
              ? 'lg:grid-cols-2'
              : 'lg:grid-cols-[17.5rem_minmax(0,1fr)] xl:grid-cols-[minmax(18rem,22rem)_minmax(0,1fr)]'),
        )}
      >
        <div className="min-w-0">{form}</div>
        <div
          className={clsx('min-w-0', isWide ? 'lg:-order-1' : 'lg:col-start-2 lg:row-span-2 lg:row-start-1')}
        >
          {children}
        </div>
        <div className="min-w-0">
          <JobList title={jobsTitle} run={run} />
        </div>
      </div>
    </>
  );
}
