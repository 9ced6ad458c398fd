import clsx from 'clsx';
import type { Job } from '#libs/contract/jobs.js';
import { sameOriginUrl } from '../../shared/lib/same-origin-url';
import { statusText, StatusIcon } from '../runs/jobs/job-status';
import type { ToolRun } from '../submission/results/use-tool-run';

/** Thumbnails of the images that one request created. A click shows an image in the result pane. */
export function ImageGroup({ run, job }: { run: ToolRun; job: Job }) {
  const group = run.jobs.filter((one) => job.group !== null && one.group === job.group).reverse();
  if (group.length < 2) return null;
  return (
    <ul aria-label={`${group.length} images of this request`} className="flex flex-wrap gap-2">
      {group.map((one, index) => (
        <li key={one.id}>
          <button
            type="button"
            onClick={() => run.show(one.id)}
            aria-current={one.id === job.id || undefined}
            aria-label={`Image ${index + 1}: ${statusText(one)}`}
            className={clsx(
              'grid size-16 place-items-center overflow-hidden rounded-control border-2 bg-sunken transition-colors',
              one.id === job.id ? 'border-ink' : 'border-line hover:border-edge',
            )}
          >
            <Tile job={one} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Tile({ job }: { job: Job }) {
  const thumbnail = job.status === 'succeeded' ? job.result?.['thumbnail'] : undefined;
  if (typeof thumbnail !== 'string') return <StatusIcon job={job} className="size-5" />;
  return <img src={sameOriginUrl(thumbnail)} alt="" className="size-full object-cover" />;
}
