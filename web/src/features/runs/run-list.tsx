import type { ReactNode } from 'react';
import type { Batch } from '#libs/contract/batches.js';
import type { Flow } from '#libs/contract/flows.js';
import { useRunList, useRunPages } from '../../modules/runs/lists/run-calls';
import type { RunKind } from '../../modules/runs/lists/run-kinds';
import { RunRow } from '../../modules/runs/lists/run-row';
import { PagedList } from '../../shared/ui/paged-list';

interface RunListProps<R extends Batch | Flow> {
  kind: RunKind<R>;
  /** Noun for texts such as "your runs". */
  what: string;
  /** Shown if there are no runs. */
  empty: ReactNode;
}

export function RunList<R extends Batch | Flow>({ kind, what, empty }: RunListProps<R>) {
  const pages = useRunPages(kind);
  const runs = useRunList(kind);
  const listed = pages.data?.pages.flatMap((page) => page.runs) ?? [];
  const listedIds = new Set(listed.map(({ id }) => id));
  // Runs created after the first page was fetched are only in the store, so add them.
  const newest = listed[0]?.createdAt ?? '';
  return (
    <PagedList
      pages={pages}
      queryKey={kind.keys.pages}
      what={what}
      rows={runs
        .filter(({ id, createdAt }) => listedIds.has(id) || createdAt > newest)
        .map((run) => (
          <RunRow key={run.id} run={kind.summarize(run)} />
        ))}
      empty={empty}
    />
  );
}
