import type { ReactNode } from 'react';
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import { isTooFast } from '../../shared/http/http';
import { formatMinute } from '../../shared/lib/format';
import { Notice } from '../../shared/ui/notice';
import { Loading } from '../../shared/ui/spinner';
import { useLiveUpdates } from './live-updates';

interface QueryPanelProps<Data> {
  query: UseQueryResult<Data>;
  /** Noun for texts such as "the reports". */
  what: string;
  children: (data: Data) => ReactNode;
}

/** Shows the data of a query, or that it loads or failed. */
export function QueryPanel<Data>({ query, what, children }: QueryPanelProps<Data>) {
  const { data, failureReason, isError, refetch } = query;
  if (data !== undefined)
    return (
      <>
        <StaleNotice query={query} />
        {children(data)}
      </>
    );
  if (failureReason === null || isTooFast(failureReason)) return <Loading label={`Loading ${what}`} />;
  return (
    <Notice
      tone="danger"
      title={`${what.charAt(0).toUpperCase()}${what.slice(1)} could not be loaded`}
      onRetry={refetch}
    >
      {failureReason.message}
      {!isError && ' Retrying automatically.'}
    </Notice>
  );
}

/** Says that a list is old, or why it is not refreshed. */
export function ListNotice({ query }: { query: UseInfiniteQueryResult<InfiniteData<unknown>> }) {
  const { isLive } = useLiveUpdates();
  return (
    <>
      <StaleNotice query={query} />
      {isLive && (query.data?.pages.length ?? 0) > 1 && (
        <p className="mb-4 text-sm text-quiet">Not refreshed while several pages are shown.</p>
      )}
    </>
  );
}

/** Says that the shown data is old, since the last attempts to refresh it failed. */
function StaleNotice({ query }: { query: UseQueryResult | UseInfiniteQueryResult }) {
  const { data, isPlaceholderData, dataUpdatedAt, failureReason, isError, refetch } = query;
  if (data === undefined || isPlaceholderData || failureReason === null || isTooFast(failureReason))
    return null;
  return (
    <div className="mb-6">
      <Notice tone="warning" title={`Not refreshed since ${formatMinute(dataUpdatedAt)}`} onRetry={refetch}>
        {failureReason.message}
        {!isError && ' Retrying automatically.'}
      </Notice>
    </div>
  );
}
