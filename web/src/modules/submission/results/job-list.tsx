import clsx from 'clsx';
import type { Job } from '#libs/contract/jobs.js';
import { formatDate } from '../../../shared/lib/format';
import { statusText, StatusIcon } from '../../runs/jobs/job-status';
import { percentText } from './displayed-progress';
import { useDisplayedProgress } from './use-displayed-progress';
import type { ToolRun } from './use-tool-run';

const MAX_SHOWN = 6;

interface JobListProps {
  title: string;
  run: ToolRun;
}

export function JobList({ title, run: { id, jobs, show } }: JobListProps) {
  if (jobs.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className="text-lg">{title}</h2>
      <ul className="mt-3 border-t border-line">
        {jobs.slice(0, MAX_SHOWN).map((job) => (
          <li key={job.id} className="border-b border-line">
            <button
              type="button"
              onClick={() => show(job.id)}
              aria-current={job.id === id || undefined}
              className={clsx(
                'flex w-full items-center gap-3 px-2 py-3 text-left transition-colors hover:bg-tint',
                job.id === id && 'bg-tint',
              )}
            >
              <StatusIcon job={job} />
              <span className="min-w-0 flex-1">
                <span className="block truncate text-[0.9375rem]">{job.title}</span>
                <span className="block text-sm text-quiet">
                  {job.status === 'succeeded' && !job.resultDeleted
                    ? formatDate(job.createdAt)
                    : statusText(job)}
                </span>
              </span>
              {job.status === 'running' && <Percent job={job} />}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Percent({ job }: { job: Job }) {
  return <span className="font-mono text-xs text-quiet">{percentText(useDisplayedProgress(job))}</span>;
}
