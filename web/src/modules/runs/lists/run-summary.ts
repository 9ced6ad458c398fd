import type { Batch } from '#libs/contract/batches.js';
import type { Flow } from '#libs/contract/flows.js';
import { formatCount } from '../../../shared/lib/format';
import { paths } from '../../../shared/paths';
import { findSummary } from '../../../shared/tools/summary-of';

/** The facts and texts about a batch or flow that lists, the tray and notifications show. */
export interface RunSummary {
  kind: 'batch' | 'flow';
  id: string;
  revision: number;
  title: string;
  createdAt: string;
  path: string;
  /** Text such as "37 of 50 done, 2 failed". */
  progress: string;
  /** For a batch, the number of pictures to upload, such as "3 to upload"; for a flow, the names of the running steps. */
  details: readonly string[];
  /** Percentage of pictures or steps that have ended. Those that were left out don't count. */
  percent: number;
  isOpen: boolean;
  /** True if jobs are queued or running; false for an open batch that still waits for files. */
  isAtWork: boolean;
  /** True if the flow waits for the user, to retry a failed step or to choose a title. */
  isStopped: boolean;
  hasFailed: boolean;
  /** Title and button label of the dialog that cancels the run. */
  cancelTitle: string;
  cancelLabel: string;
}

type Counts = Pick<Batch['counts'], 'total' | 'succeeded' | 'failed' | 'cancelled' | 'leftOut'>;

export function summarizeBatch(batch: Batch): RunSummary {
  const { id, revision, title, createdAt, status, counts } = batch;
  const { total, missing, queued, running, leftOut, failed } = counts;
  const isOpen = status === 'open';
  const isCancelled = status === 'cancelled';
  const left = `Cancel ${formatCount(missing + queued + running, 'picture')}`;
  return {
    ...{ kind: 'batch', id, revision, title, createdAt, path: paths.batch(id) },
    progress: [
      progressText(counts, `of ${total - (isCancelled ? 0 : leftOut)} done`, isCancelled),
      ...(counts.toCheck > 0 ? [`${counts.toCheck} to check`] : []),
    ].join(', '),
    details: isOpen && missing > 0 ? [`${missing} to upload`] : [],
    percent: percentOf(counts),
    isOpen,
    isAtWork: isOpen && queued + running > 0,
    isStopped: false,
    hasFailed: failed > 0,
    cancelTitle: `${left}?`,
    cancelLabel: left,
  };
}

export function summarizeFlow(flow: Flow): RunSummary {
  const { id, revision, title, createdAt, status, steps, awaitsTitleFrom } = flow;
  const count = (wanted: Flow['steps'][number]['state']) =>
    steps.filter(({ state }) => state === wanted).length;
  const counts = {
    total: steps.length,
    succeeded: count('succeeded'),
    failed: count('failed'),
    cancelled: count('cancelled'),
    leftOut: count('left-out'),
  };
  const isOpen = status === 'open';
  return {
    ...{ kind: 'flow', id, revision, title, createdAt, path: paths.flow(id) },
    progress: progressText(counts, `of ${steps.length} steps done`, status === 'cancelled'),
    details:
      awaitsTitleFrom !== null
        ? ['waits for your title']
        : steps
            .filter(({ state }) => state === 'queued' || state === 'running')
            .map(({ tool }) => findSummary(tool)?.label ?? tool),
    percent: percentOf(counts),
    isOpen,
    isAtWork: isOpen && awaitsTitleFrom === null,
    isStopped: status === 'stopped' || awaitsTitleFrom !== null,
    hasFailed: status === 'stopped',
    cancelTitle: 'Cancel the remaining steps?',
    cancelLabel: 'Cancel steps',
  };
}

function percentOf({ total, leftOut, succeeded, failed, cancelled }: Counts): number {
  const wanted = total - leftOut;
  return wanted === 0 ? 100 : Math.round(((succeeded + failed + cancelled) / wanted) * 100);
}

function progressText({ succeeded, failed, cancelled, leftOut }: Counts, done: string, isCancelled: boolean) {
  return [
    isCancelled && 'Cancelled',
    `${succeeded} ${done}`,
    failed > 0 && `${failed} failed`,
    cancelled > 0 && `${cancelled} cancelled`,
    leftOut > 0 && `${leftOut} left out`,
  ]
    .filter(Boolean)
    .join(', ');
}
