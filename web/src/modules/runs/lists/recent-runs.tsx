import type { Batch } from '#libs/contract/batches.js';
import type { Flow } from '#libs/contract/flows.js';
import { RecentList } from '../../../shared/ui/recent-list';
import { useRunList } from './run-calls';
import { batchKind, flowKind, type RunKind } from './run-kinds';
import { RunRow } from './run-row';

interface RecentRunsProps<R extends Batch | Flow> {
  kind: RunKind<R>;
  title: string;
  allLabel: string;
  /** Selects the runs of one tool or flow. */
  filter?: (run: R) => boolean;
}

function RecentRuns<R extends Batch | Flow>({ kind, title, allLabel, filter }: RecentRunsProps<R>) {
  const runs = useRunList(kind);
  return (
    <RecentList
      title={title}
      isOwnSection={filter === undefined}
      all={{ path: kind.allPath, label: allLabel }}
      rows={(filter === undefined ? runs : runs.filter(filter)).map((run) => (
        <RunRow key={run.id} run={kind.summarize(run)} />
      ))}
    />
  );
}

/** The latest batches, of one tool or of all; nothing without batches. */
export const RecentBatches = ({ tool, title }: { tool?: string; title: string }) => (
  <RecentRuns
    kind={batchKind}
    title={title}
    allLabel="All batches"
    filter={tool === undefined ? undefined : (batch) => batch.tool === tool}
  />
);

/** The latest runs of flows, of one flow or of all; nothing without runs. */
export const RecentFlows = ({ flow, title }: { flow?: string; title: string }) => (
  <RecentRuns
    kind={flowKind}
    title={title}
    allLabel="All runs"
    filter={flow === undefined ? undefined : (run) => run.flow === flow}
  />
);
