import { useRef, type RefObject } from 'react';
import type { Job } from '#libs/contract/jobs.js';
import { tools, type ToolName } from '#libs/tools/catalogue.js';
import type { EngineName } from '#libs/contract/engine-name.js';
import { useCancelJob } from '../jobs/cancel-job';
import { useAccount } from '../api/read-account';
import { useConfig } from '../api/read-config';
import { useRetryJob } from '../jobs/retry-job';
import type { JobView } from '../jobs/job-store';
import { useSelectedJob } from './use-selected-job';

/** What a tool's page shows of its work, and what a user can do about it. */
export interface ToolRun {
  /** The chosen job, or null. */
  id: string | null;
  /** Null while it is on its way. */
  view: JobView | null;
  /** The tool's latest jobs, newest first. */
  jobs: readonly Job[];
  /** The engine that would work now, while the configuration is known. */
  engine: EngineName | undefined;
  /** What a run costs, in words. */
  cost: string;
  /** The proof's place on the page. */
  place: RefObject<HTMLElement | null>;
  /** Chooses a job, or none. */
  show: (id: string | null) => void;
  cancel: () => void;
  cancelling: boolean;
  retry: () => void;
  retrying: boolean;
  /** Why the chosen job could not be cancelled or run again. */
  problem: Error | null;
}

export function useToolRun(tool: ToolName): ToolRun {
  const place = useRef<HTMLElement>(null);
  const { id, view, jobs, select } = useSelectedJob(tool);
  const engine = useConfig().data?.engine;
  const account = useAccount().data;
  const cancel = useCancelJob();
  const retry = useRetryJob();
  const { plan, credits } = tools[tool];

  const show = (next: string | null) => {
    select(next);
    // Side by side on a wide screen; on a narrow one the proof is below the form.
    if (next !== null && window.matchMedia('(width < 64rem)').matches) {
      const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
      place.current?.scrollIntoView({ block: 'start', behavior: still ? 'auto' : 'smooth' });
    }
  };
  return {
    id,
    view,
    jobs,
    engine,
    cost:
      account?.plan === 'premium'
        ? 'Unlimited on Premium'
        : plan === 'premium'
          ? 'Part of the premium plan'
          : `Costs ${credits} ${credits === 1 ? 'credit' : 'credits'}`,
    place,
    show,
    cancel: () => id !== null && cancel.mutate(id),
    cancelling: cancel.isPending && cancel.variables === id,
    retry: () => id !== null && retry.mutate(id, { onSuccess: (job) => show(job.id) }),
    retrying: retry.isPending && retry.variables === id,
    problem: (cancel.variables === id && cancel.error) || (retry.variables === id && retry.error) || null,
  };
}
