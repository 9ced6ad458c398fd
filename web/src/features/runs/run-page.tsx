import type { ReactNode } from 'react';
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { ApiFailure, isTooFast } from '../../shared/http/http';
import { NotFoundPanel } from '../../shared/ui/not-found-panel';
import { Notice } from '../../shared/ui/notice';
import { Loading } from '../../shared/ui/spinner';

interface RunPageProps {
  noun: string;
  query: { failureReason: Error | null; isError: boolean };
  queryKey: QueryKey;
  /** Content of the page; null until the run is loaded. */
  children: ReactNode;
}

/** Shows the page of a batch or flow, or that it is loading, doesn't exist or couldn't be loaded. */
export function RunPage({
  noun,
  query: { failureReason: error, isError },
  queryKey,
  children,
}: RunPageProps) {
  const queries = useQueryClient();
  if (error instanceof ApiFailure && error.code === 'NOT_FOUND') return <NotFoundPanel />;
  if (children !== null) return children;
  if (error === null || isTooFast(error)) return <Loading label={`Loading the ${noun}`} />;
  return (
    <Notice
      tone="danger"
      title={`This ${noun} could not be loaded`}
      onRetry={() => queries.resetQueries({ queryKey })}
    >
      {error.message}
      {!isError && ' Retrying automatically.'}
    </Notice>
  );
}
