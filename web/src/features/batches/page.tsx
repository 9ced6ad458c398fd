import { batchTools } from '#libs/contract/batches.js';
import { useBatches } from '../../modules/runs/batches/batches-context';
import { useBatchPages } from '../../modules/runs/batches/batch-calls';
import { BatchRow } from '../../modules/runs/batches/batch-row';
import { queryKeys } from '../../shared/http/query-keys';
import { BeginInATool } from '../../shared/tools/begin-in-a-tool';
import { PagedList } from '../../shared/ui/paged-list';
import { PageHeading } from '../../shared/ui/page-heading';

export default function BatchesPage() {
  const pages = useBatchPages();
  const batches = useBatches();
  const loaded = new Set(pages.data?.pages.flatMap((page) => page.batches.map(({ id }) => id)));
  // What began while the page is open is in the store alone.
  const newest = pages.data?.pages[0]?.batches[0]?.createdAt ?? '';
  const shown = batches.filter(({ id, createdAt }) => loaded.has(id) || createdAt > newest);
  return (
    <>
      <PageHeading lead="Many pictures at once, each with its result.">Batches</PageHeading>
      <PagedList
        pages={pages}
        queryKey={queryKeys.batchPages}
        what="your batches"
        rows={shown.map((batch) => (
          <BatchRow key={batch.id} batch={batch} />
        ))}
        empty={
          <BeginInATool
            how="Choose several pictures in one of these tools, and they become a batch."
            tools={batchTools}
          />
        }
      />
    </>
  );
}
