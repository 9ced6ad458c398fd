import clsx from 'clsx';
import type { Job } from '#libs/contract/jobs.js';
import { formatDate } from '../format';
import { statusWords, StatusMark } from './job-status';

interface JobListProps {
  title: string;
  jobs: readonly Job[];
  selectedId: string | null;
  onSelect: (id: string) => void;
}

/** A tool's latest jobs, to go back to. */
export function JobList({ title, jobs, selectedId, onSelect }: JobListProps) {
  if (jobs.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className="text-lg">{title}</h2>
      <ul className="mt-3 border-t border-line">
        {jobs.map((job) => (
          <li key={job.id} className="border-b border-line">
            <button
              type="button"
              onClick={() => onSelect(job.id)}
              aria-current={job.id === selectedId || undefined}
              className={clsx(
                'flex w-full items-center gap-3 px-2 py-3 text-left transition-colors hover:bg-tint',
                job.id === selectedId && 'bg-tint',
              )}
            >
              <StatusMark job={job} />
              <span className="min-w-0 flex-1">
                <span className="block truncate text-[0.9375rem]">{job.title}</span>
                <span className="block truncate text-sm text-quiet">
                  {job.status === 'succeeded' ? formatDate(job.createdAt) : statusWords(job)}
                </span>
              </span>
              {job.status === 'running' && (
                <span className="font-mono text-xs text-quiet">{Math.round(job.progress.percent)}%</span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
