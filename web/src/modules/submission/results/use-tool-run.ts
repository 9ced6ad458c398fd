import { useEffect, useRef, type RefObject } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Job } from '#libs/contract/jobs.js';
import type { ToolName } from '#libs/tools/catalogue.js';
import type { EngineName } from '#libs/contract/engine.js';
import { useCancelJob, useRetryJob } from '../../runs/jobs/job-calls';
import { useAccount } from '../../../shared/account/account-calls';
import { useConfig, useCredits } from '../../../shared/account/read-config';
import { isNarrow, scrollToTopOf } from '../../../shared/lib/scroll-to';
import { queryKeys } from '../../../shared/http/query-keys';
import type { JobView } from '../../runs/state/job-store';
import { formatCount } from '../../../shared/lib/format';
import { summaryOf } from '../../../shared/tools/summary-of';
import { useSelectedJob } from './use-selected-job';

export interface ToolRun {
  tool: ToolName;
  id: string | null;
  /** Null while the job is loading, or if none is selected. */
  view: JobView | null;
  /** The tool's latest jobs, newest first. */
  jobs: readonly Job[];
  /** Engine of the tool; undefined while the configuration is loading. */
  engine: EngineName | undefined;
  /** Price of a run, as text; empty while it loads. */
  cost: string;
  paneRef: RefObject<HTMLElement | null>;
  /** Selects a job; null selects none. */
  show: (id: string | null) => void;
  showJob: (job: Job) => void;
  /** @param beside ID of the earlier creation to compare the result with */
  showAnother: (job: Job, earlierId?: string) => void;
  /** ID of the earlier creation while a comparison is open; otherwise null. */
  earlierId: string | null;
  cancel: () => void;
  cancelling: boolean;
  retry: () => void;
  retrying: boolean;
  /** Error of the request that cancels or retries the job; null if there is none. */
  problem: Error | null;
}

/** @param notebookId limits the run to jobs of one notebook */
export function useToolRun(tool: ToolName, notebookId?: string): ToolRun {
  const paneRef = useRef<HTMLElement>(null);
  const { id, view, jobs, earlierId, select } = useSelectedJob(tool, notebookId);
  const config = useConfig().data;
  const engine = config?.tools.find(({ name }) => name === tool)?.engine ?? config?.engine;
  const account = useAccount().data;
  const queryClient = useQueryClient();
  const resultEngine = view?.job.result?.['engine'];
  useEffect(() => {
    // The server may have found meanwhile that its AI service cannot do this.
    if (engine === 'openai' && resultEngine === 'offline')
      void queryClient.invalidateQueries({ queryKey: queryKeys.config });
  }, [engine, resultEngine, queryClient]);
  const cancel = useCancelJob();
  const retry = useRetryJob();
  const { plan } = summaryOf(tool);
  const credits = useCredits(tool);

  const show = (next: string | null, earlierId: string | null = null) => {
    select(next, earlierId);
    // On narrow screens, the result is below the form, so scroll to it.
    if (next !== null && isNarrow()) scrollToTopOf(paneRef.current);
  };
  /** The job that the page was opened or reloaded with. */
  const openedWith = useRef(id);
  const isOpened = view !== null && view.job.id === openedWith.current;
  useEffect(() => {
    if (!isOpened) return;
    openedWith.current = null;
    if (isNarrow()) paneRef.current?.scrollIntoView({ block: 'start' });
  }, [isOpened]);
  return {
    tool,
    id,
    view,
    jobs,
    engine,
    cost:
      account?.plan === 'premium'
        ? 'Unlimited on Premium'
        : plan === 'premium'
          ? 'Part of the premium plan'
          : credits === undefined
            ? ''
            : `Costs ${formatCount(credits, 'credit')}`,
    paneRef,
    show: (next) => show(next),
    showJob: (job) => show(job.id),
    showAnother: (job, other) => show(job.id, other),
    earlierId,
    cancel: () => id !== null && cancel.mutate(id),
    cancelling: cancel.isPending && cancel.variables === id,
    retry: () => id !== null && retry.mutate(id, { onSuccess: (job) => show(job.id, earlierId) }),
    retrying: retry.isPending && retry.variables === id,
    problem: (cancel.variables === id && cancel.error) || (retry.variables === id && retry.error) || null,
  };
}
