import { lazy, Suspense } from 'react';
import type { BesideEarlierProps } from './beside-earlier';
import type { ToolRun } from './use-tool-run';

const BesideEarlier = lazy(async () => ({ default: (await import('./beside-earlier')).BesideEarlier }));

interface RunBesideEarlierProps extends Pick<
  BesideEarlierProps,
  'made' | 'children' | 'showEarlier' | 'showChange'
> {
  run: ToolRun;
}

/** The result of a run, next to the earlier one until the user has chosen. */
export function RunBesideEarlier({ run, ...besides }: RunBesideEarlierProps) {
  const status = run.view?.job.status;
  if (run.beside === null) return besides.children;
  return (
    <Suspense fallback={besides.children}>
      <BesideEarlier
        {...besides}
        earlierId={run.beside}
        stopped={status === 'failed' || status === 'cancelled'}
        onChosen={(kept) => run.show(kept === null || kept.id !== run.beside ? run.id : kept.jobId)}
      />
    </Suspense>
  );
}
