import { lazy, Suspense, useRef, useState, type RefObject } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import type { Batch, BatchItem } from '#libs/contract/batches.js';
import { useSelection } from '../../modules/creations/use-selection';
import type { UploadState } from '../../modules/runs/state/batch-uploads';
import { BatchTile } from './batch-tile';
import { BatchToolbar } from './batch-toolbar';
import { isFinished } from './finished-items';
import { tileSizes } from './tile-sizes';
import { uploadOf } from './upload-of';

const BatchLightbox = lazy(() => import('./batch-lightbox'));

/** Query parameter with the number of the picture that is shown over the page. */
const PICTURE_PARAMETER = 'picture';

interface BatchGridProps {
  batch: Batch;
  items: readonly BatchItem[];
  upload: UploadState;
  list: RefObject<HTMLUListElement | null>;
}

/** Grid of the pictures with their actions. The URL has the picture that is shown over the page. */
export function BatchGrid({ batch, items, upload, list }: BatchGridProps) {
  const sorted = toCheckFirst(items);
  const finished = sorted.filter(isFinished);
  const selection = useSelection(finished.map(({ creationId }) => creationId));
  const [size, setSize] = useState(1);
  const { open, show, close } = useShownPicture();
  return (
    <>
      {finished.length > 0 && (
        <BatchToolbar
          items={finished}
          selection={selection}
          areCutOuts={batch.tool === 'remove-image-background'}
          size={size}
          onSize={setSize}
        />
      )}
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="Pictures"
        className="grid items-start gap-3 outline-none sm:gap-4"
        style={{
          gridTemplateColumns: `repeat(auto-fill, minmax(min(100%, ${tileSizes[size]?.width}), 1fr))`,
        }}
      >
        {sorted.map((item) => (
          <BatchTile
            key={item.n}
            batch={batch}
            item={item}
            upload={uploadOf(item, upload)}
            refused={item.state === 'missing' || item.sendableAgain ? upload.refused.get(item.n) : undefined}
            isSelected={item.creationId !== null && selection.has(item.creationId)}
            onSelect={selection.toggle}
            onOpen={show}
          />
        ))}
      </ul>
      {finished.some(({ n }) => n === open) && (
        <Suspense fallback={null}>
          <BatchLightbox
            items={finished}
            n={open}
            isSelected={selection.has}
            onSelect={selection.toggle}
            onShow={show}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  );
}

/** Number of the picture that is shown over the page, 0 for none. The browser's Back closes it. */
function useShownPicture() {
  const [parameters, setParameters] = useSearchParams();
  const navigate = useNavigate();
  const isOwnEntry = useRef(false);
  const open = Number(parameters.get(PICTURE_PARAMETER));
  const show = (n: number) => {
    isOwnEntry.current ||= open === 0;
    setParameters({ [PICTURE_PARAMETER]: String(n) }, { replace: open !== 0 });
  };
  const close = () => {
    if (isOwnEntry.current) void navigate(-1);
    else setParameters({}, { replace: true });
    isOwnEntry.current = false;
  };
  return { open, show, close };
}

const toCheckFirst = (items: readonly BatchItem[]): BatchItem[] =>
  items.toSorted((a, b) => Number(b.warnings.length > 0) - Number(a.warnings.length > 0));
