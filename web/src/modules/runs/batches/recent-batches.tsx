import { useBatches } from './batches-context';
import { RecentList } from '../../../shared/ui/recent-list';
import { paths } from '../../../shared/paths';
import { BatchRow } from './batch-row';

/** The latest batches, of one tool or of all; nothing where there is none. */
export function RecentBatches({ tool, title }: { tool?: string; title: string }) {
  const batches = useBatches().filter((batch) => tool === undefined || batch.tool === tool);
  return (
    <RecentList
      title={title}
      isOwnSection={tool === undefined}
      all={{ path: paths.batches, label: 'All batches' }}
      rows={batches.map((batch) => (
        <BatchRow key={batch.id} batch={batch} />
      ))}
    />
  );
}
