import { lazy, Suspense } from 'react';
import type { CompareResultsProps } from './compare-results';
import type { ToolRun } from './use-tool-run';

const CompareResults = lazy(async () => ({ default: (await import('./compare-results')).CompareResults }));

interface RunComparisonProps extends Pick<
  CompareResultsProps,
  'newResult' | 'children' | 'showEarlier' | 'showChange'
> {
  run: ToolRun;
}

/** Shows the result of a run. While a comparison is open, shows the earlier result next to it. */
export function RunComparison({ run, ...comparison }: RunComparisonProps) {
  const status = run.view?.job.status;
  if (run.earlierId === null) return comparison.children;
  return (
    <Suspense fallback={comparison.children}>
      <CompareResults
        {...comparison}
        earlierId={run.earlierId}
        stopped={status === 'failed' || status === 'cancelled'}
        onChosen={(chosen) =>
          run.show(chosen === null || chosen.id !== run.earlierId ? run.id : chosen.jobId)
        }
      />
    </Suspense>
  );
}
