import { Link } from 'react-router-dom';
import { paths } from '../paths';
import { BatchRow } from './batch-row';
import { useBatches } from '../batch-state/batches-context';

const SHOWN = 3;

/** The latest batches, of one tool or of all; nothing where there is none. */
export function RecentBatches({ tool, title }: { tool?: string; title: string }) {
  const batches = useBatches().filter((batch) => tool === undefined || batch.tool === tool);
  if (batches.length === 0) return null;
  return (
    <section aria-label={title}>
      <div className="flex items-baseline justify-between gap-4">
        <h2 className={tool === undefined ? 'text-2xl' : 'text-lg'}>{title}</h2>
        <Link to={paths.batches} className="text-sm text-quiet underline underline-offset-4 hover:text-ink">
          All batches
        </Link>
      </div>
      <ul className="mt-3 border-t border-line">
        {batches.slice(0, SHOWN).map((batch) => (
          <BatchRow key={batch.id} batch={batch} />
        ))}
      </ul>
    </section>
  );
}
