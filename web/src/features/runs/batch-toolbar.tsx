import { lazy, Suspense, useState } from 'react';
import toast from 'react-hot-toast';
import clsx from 'clsx';
import { Download, PaintBucket } from 'lucide-react';
import { useDownloadZip } from '../../modules/creations/api/change-creation';
import type { Selection } from '../../modules/creations/use-selection';
import { formatCount } from '../../shared/lib/format';
import { Button } from '../../shared/ui/button';
import { RangeField } from '../../shared/ui/range-field';
import { titleOfItem, type FinishedItem } from './finished-items';
import { tileSizes } from './tile-sizes';

const ComposeManyDialog = lazy(() => import('../../modules/image-editor/composition/compose-many-dialog'));

interface BatchToolbarProps {
  /** The pictures with a result, in the order of the grid. */
  items: readonly FinishedItem[];
  selection: Selection;
  /** True if the results are cut-outs, which can get a background. */
  areCutOuts: boolean;
  /** Index in `tileSizes`. */
  size: number;
  onSize: (size: number) => void;
}

/** Actions for all pictures of a batch, or for the selected ones, and the size of the tiles. */
export function BatchToolbar({ items, selection, areCutOuts, size, onSize }: BatchToolbarProps) {
  const [isComposing, setIsComposing] = useState(false);
  const zip = useDownloadZip();
  const { chosen, all, none } = selection;
  const hasSelection = chosen.length > 0;
  const meant = hasSelection ? items.filter(({ creationId }) => chosen.includes(creationId)) : items;
  const download = () =>
    zip.mutate(chosen, {
      onSuccess: (count) => void toast.success(`Downloading ${formatCount(count, 'picture')}`),
      onError: ({ message }) => void toast.error(message),
    });
  return (
    <section
      aria-label="Pictures of the batch"
      className={clsx(
        'mb-4 flex flex-wrap items-center gap-2',
        hasSelection && 'panel z-20 p-2 sm:sticky sm:top-[4.5rem] shadow-[0_8px_24px_rgb(0_0_0/0.12)]',
      )}
    >
      {hasSelection && (
        <p role="status" className="px-2 text-sm font-semibold">
          {chosen.length} selected
        </p>
      )}
      <Button size="small" variant="quiet" onClick={chosen.length === items.length ? none : all}>
        {chosen.length === items.length ? 'Select none' : 'Select all'}
      </Button>
      {areCutOuts && (
        <Button size="small" onClick={() => setIsComposing(true)}>
          <PaintBucket aria-hidden="true" className="size-4" />
          Background and size{hasSelection ? ` (${chosen.length})` : ''}
        </Button>
      )}
      {hasSelection && (
        <Button size="small" busy={zip.isPending} onClick={download}>
          {!zip.isPending && <Download aria-hidden="true" className="size-4" />}
          ZIP of {chosen.length}
        </Button>
      )}
      <div className="ml-auto w-56 max-w-full">
        <RangeField
          label="Tile size"
          inline
          min={0}
          max={tileSizes.length - 1}
          value={size}
          text={tileSizes[size]?.label ?? ''}
          displayText=""
          onChange={onSize}
        />
      </div>
      {isComposing && (
        <Suspense fallback={null}>
          <ComposeManyDialog
            pictures={meant.map((item) => ({ creationId: item.creationId, name: titleOfItem(item) }))}
            onClose={() => setIsComposing(false)}
          />
        </Suspense>
      )}
    </section>
  );
}
