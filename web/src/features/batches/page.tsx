import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { isTooFast } from '../../shared/http/http';
import { queryKeys } from '../../shared/http/query-keys';
import { useBatchPages } from '../../shared/batches/batch-calls';
import { BatchRow } from '../../shared/batches/batch-row';
import { useBatches } from '../../shared/batch-state/batches-context';
import { useFindToolPage } from '../../shared/tools/tool-pages';
import { paths } from '../../shared/paths';
import { Button, buttonClass } from '../../shared/ui/button';
import { CornerMarks } from '../../shared/ui/corner-marks';
import { Notice } from '../../shared/ui/notice';
import { PageHeading } from '../../shared/ui/page-heading';
import { Loading } from '../../shared/ui/spinner';
import { batchTools } from '#libs/contract/batches.js';

export default function BatchesPage() {
  const queries = useQueryClient();
  const pages = useBatchPages();
  const batches = useBatches();
  const loaded = new Set(pages.data?.pages.flatMap((page) => page.batches.map(({ id }) => id)));
  // What began while the page is open is in the store alone.
  const newest = pages.data?.pages[0]?.batches[0]?.createdAt ?? '';
  const shown = batches.filter(({ id, createdAt }) => loaded.has(id) || createdAt > newest);
  return (
    <>
      <PageHeading lead="Many pictures at once, each with its result.">Batches</PageHeading>
      {pages.data === undefined ? (
        pages.failureReason !== null && !isTooFast(pages.failureReason) ? (
          <Notice
            tone="danger"
            title="Your batches could not be loaded"
            action={
              <Button
                size="small"
                onClick={() => void queries.resetQueries({ queryKey: queryKeys.batchPages })}
              >
                Try again
              </Button>
            }
          >
            {pages.failureReason.message}
            {!pages.isError && ' This list tries again by itself.'}
          </Notice>
        ) : (
          <Loading label="Loading your batches" />
        )
      ) : shown.length === 0 ? (
        <Empty />
      ) : (
        <>
          <ul className="border-t border-line">
            {shown.map((batch) => (
              <BatchRow key={batch.id} batch={batch} />
            ))}
          </ul>
          {pages.hasNextPage && (
            <Button
              className="mt-6"
              busy={pages.isFetchingNextPage}
              onClick={() => void pages.fetchNextPage()}
            >
              Show more
            </Button>
          )}
        </>
      )}
    </>
  );
}

function Empty() {
  const findToolPage = useFindToolPage();
  return (
    <div className="panel relative grid justify-items-center gap-5 px-6 py-14 text-center">
      <CornerMarks />
      <p className="text-quiet">Choose several pictures in one of these tools, and they become a batch.</p>
      <div className="flex flex-wrap justify-center gap-3">
        {batchTools.map((name) => {
          const page = findToolPage(name);
          return (
            page && (
              <Link key={name} to={paths.tool(page.segment)} className={buttonClass('plain')}>
                {page.label}
              </Link>
            )
          );
        })}
      </div>
    </div>
  );
}
