import { Link } from 'react-router-dom';
import type { Batch } from '#libs/contract/batches.js';
import type { Flow } from '#libs/contract/flows.js';
import { useRunList } from './run-calls';
import { batchKind, flowKind, type RunKind } from './run-kinds';
import { RunRow } from './run-row';

const MAX_VISIBLE = 3;

interface RecentRunsProps<R extends Batch | Flow> {
  kind: RunKind<R>;
  title: string;
  allLabel: string;
  /** Returns true for runs to list; without it, all are listed. */
  filter?: (run: R) => boolean;
}

/** Lists the latest runs, with a link to the page of all runs. Renders nothing if there are none. */
function RecentRuns<R extends Batch | Flow>({ kind, title, allLabel, filter }: RecentRunsProps<R>) {
  const all = useRunList(kind);
  const runs = filter === undefined ? all : all.filter(filter);
  if (runs.length === 0) return null;
  return (
    <section aria-label={title} className="w-full">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className={filter === undefined ? 'text-2xl' : 'text-lg'}>{title}</h2>
        <Link
          to={kind.allPath}
          className="text-sm text-quiet underline underline-offset-4 hover:text-ink touch:inline-flex touch:min-h-11 touch:items-center"
        >
          {allLabel}
        </Link>
      </div>
      <ul className="mt-3 border-t border-line">
        {runs.slice(0, MAX_VISIBLE).map((run) => (
          <RunRow key={run.id} run={kind.summarize(run)} />
        ))}
      </ul>
    </section>
  );
}

/** Lists the latest batches, of `tool` or else of all tools. Renders nothing if there are none. */
export const RecentBatches = ({ tool, title }: { tool?: string; title: string }) => (
  <RecentRuns
    kind={batchKind}
    title={title}
    allLabel="All batches"
    filter={tool === undefined ? undefined : (batch) => batch.tool === tool}
  />
);

/** Lists the latest flow runs, of `flow` or else of all flows. Renders nothing if there are none. */
export const RecentFlows = ({ flow, title }: { flow?: string; title: string }) => (
  <RecentRuns
    kind={flowKind}
    title={title}
    allLabel="All runs"
    filter={flow === undefined ? undefined : (run) => run.flow === flow}
  />
);
