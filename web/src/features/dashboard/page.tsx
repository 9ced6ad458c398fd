import { useEffect } from 'react';
import toast from 'react-hot-toast';
import { RefreshCw } from 'lucide-react';
import { StorageMeter } from '../../shared/account/storage-meter';
import { RecentBatches, RecentFlows } from '../../modules/runs/lists/recent-runs';
import { useAccount } from '../../shared/account/account-calls';
import { useCreationPages } from '../../modules/creations/api/creation-pages';
import { usePdfChats } from '../../modules/creations/api/pdf-chats';
import { isTooFast } from '../../shared/http/http';
import { Button } from '../../shared/ui/button';
import { Notice } from '../../shared/ui/notice';
import { PageHeading } from '../../shared/ui/page-heading';
import { Loading } from '../../shared/ui/spinner';
import { RecentCreations } from './recent-creations';
import { RecentPdfChats } from './recent-pdf-chats';
import { Stats } from './stats';
import { useCreationFilter } from './use-creation-filter';

const FAILED = 'Failed to load dashboard data';

export default function DashboardPage() {
  const account = useAccount();
  const creationFilter = useCreationFilter();
  const creations = useCreationPages(creationFilter.filter);
  const pdfChats = usePdfChats();
  const queries = [account, creations, pdfChats];
  const refreshing = queries.some(({ isFetching, failureReason }) => isFetching && failureReason === null);
  // Queries set `error` only after all retries, so check `failureReason` to show the first failure.
  const failed = queries.some(({ data, failureReason }) => data === undefined && failureReason !== null);
  // Except a failed search, whose error the list itself shows.
  const refreshFailed = queries.some(
    (query) =>
      query.failureReason !== null &&
      !isTooFast(query.failureReason) &&
      !(query === creations && creationFilter.active),
  );

  useEffect(() => {
    if (refreshFailed) toast.error(FAILED, { id: FAILED });
  }, [refreshFailed]);

  const refresh = () => {
    for (const query of queries) void query.refetch();
  };

  return (
    <>
      <PageHeading
        actions={
          <Button onClick={refresh} aria-busy={refreshing || undefined}>
            <RefreshCw aria-hidden="true" className={`size-4 ${refreshing ? 'animate-spin' : ''}`} />
            Refresh
          </Button>
        }
      >
        Dashboard
      </PageHeading>
      {account.data !== undefined && creations.data !== undefined && pdfChats.data !== undefined ? (
        <div className="grid gap-12 sm:gap-16">
          <div className="grid gap-5">
            <Stats
              creations={creations.data.pages[0]?.total ?? 0}
              pdfChats={pdfChats.data.length}
              plan={account.data.plan}
            />
            <StorageMeter account={account.data} />
          </div>
          <RecentBatches title="Recent Batches" />
          <RecentFlows title="Recent Runs" />
          <RecentCreations query={creations} creationFilter={creationFilter} />
          <RecentPdfChats chats={pdfChats.data} />
        </div>
      ) : failed ? (
        <Notice tone="danger" title={FAILED} onRetry={refresh}>
          Your work is safe. Retrying every few seconds.
        </Notice>
      ) : (
        <Loading label="Loading your dashboard" />
      )}
    </>
  );
}
