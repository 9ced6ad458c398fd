import { useQueryClient, type QueryKey, type UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import clsx from 'clsx';
import { isTooFast } from '../http/http';
import { Button } from './button';
import { Notice } from './notice';
import { Loading } from './spinner';

interface PagedListProps {
  pages: UseInfiniteQueryResult;
  queryKey: QueryKey;
  /** Noun for texts such as "your runs". */
  what: string;
  rows: ReactNode[];
  /** Shown if there are no rows. */
  empty: ReactNode;
}

/** A list that loads page by page and shows errors with a button to retry. */
export function PagedList({ pages, queryKey, what, rows, empty }: PagedListProps) {
  const queries = useQueryClient();
  if (pages.data === undefined) {
    if (pages.failureReason === null || isTooFast(pages.failureReason))
      return <Loading label={`Loading ${what}`} />;
    return (
      <Notice
        tone="danger"
        title={`${what.charAt(0).toUpperCase()}${what.slice(1)} could not be loaded`}
        onRetry={() => queries.resetQueries({ queryKey })}
      >
        {pages.failureReason.message}
        {!pages.isError && ' Retrying automatically.'}
      </Notice>
    );
  }
  if (rows.length === 0) return empty;
  return (
    <>
      <ul
        aria-busy={pages.isPlaceholderData || undefined}
        className={clsx('border-t border-line', pages.isPlaceholderData && 'opacity-60')}
      >
        {rows}
      </ul>
      {pages.hasNextPage && (
        <Button className="mt-6" busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  );
}
