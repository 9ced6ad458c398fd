import { lazy, Suspense } from 'react';
import type { CompareResultsProps } from './compare-results';
import type { ToolRun } from './use-tool-run';

const CompareResults = lazy(async () => ({ default: (await import('./compare-results')).CompareResults }));

interface RunComparisonProps extends Pick<
  CompareResultsProps,
  'made' | 'children' | 'showEarlier' | 'showChange'
> {
  run: ToolRun;
}

/** The result of a run, next to the earlier one until the user has chosen. */
export function RunComparison({ run, ...besides }: RunComparisonProps) {
  const status = run.view?.job.status;
  if (run.beside === null) return besides.children;
  return (
    <Suspense fallback={besides.children}>
      <CompareResults
        {...besides}
        earlierId={run.beside}
        stopped={status === 'failed' || status === 'cancelled'}
        onChosen={(kept) => run.show(kept === null || kept.id !== run.beside ? run.id : kept.jobId)}
      />
    </Suspense>
  );
}
