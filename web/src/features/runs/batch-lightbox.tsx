import { useEffect, useEffectEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import { ChevronLeft, ChevronRight, Columns2, ExternalLink } from 'lucide-react';
import { useCreation } from '../../modules/creations/api/creation-pages';
import { useVersions } from '../../modules/creations/versions/versions';
import { BeforeAfter } from '../../modules/image-editor/before-after';
import { EditCutOut } from '../../modules/image-editor/cut-out/edit-cut-out';
import { DownloadButton } from '../../modules/image-editor/download-button';
import { WarningMarks, WarningNotices } from '../../modules/image-editor/image-warnings';
import { useOriginal } from '../../modules/submission/files/use-original';
import { sameOriginUrl } from '../../shared/lib/same-origin-url';
import { useImageUrl } from '../../shared/lib/use-object-url';
import { paths } from '../../shared/paths';
import { Button, buttonClass } from '../../shared/ui/button';
import { Checkbox } from '../../shared/ui/checkbox';
import { Dialog } from '../../shared/ui/dialog';
import { IconButton } from '../../shared/ui/icon-button';
import { titleOfItem, type FinishedItem } from './finished-items';

interface BatchLightboxProps {
  items: readonly FinishedItem[];
  /** Number of the shown picture in its batch. */
  n: number;
  isSelected: (creationId: string) => boolean;
  onSelect: (creationId: string, range: boolean) => void;
  onShow: (n: number) => void;
  onClose: () => void;
}

/** Shows one result of a batch over the page, with its actions. The arrow keys show the others. */
export default function BatchLightbox({
  items,
  n,
  isSelected,
  onSelect,
  onShow,
  onClose,
}: BatchLightboxProps) {
  const [isComparing, setIsComparing] = useState(false);
  const index = items.findIndex((item) => item.n === n);
  const item = items[index];
  const step = (by: number) => {
    const next = items[(index + by + items.length) % items.length];
    if (next !== undefined) onShow(next.n);
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const isModified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
    // A slider uses the arrow keys itself, and the cut-out editor is a dialog over this one.
    const isTaken = event.target instanceof HTMLInputElement && event.target.type === 'range';
    const isCovered = document.querySelectorAll('[role="dialog"]').length > 1;
    if (by !== undefined && !isModified && !isTaken && !isCovered) step(by);
  });
  useEffect(() => {
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  if (item === undefined) return null;
  const title = titleOfItem(item);
  return (
    <Dialog label={title} full initialFocus="dialog" onClose={onClose}>
      <div className="flex min-h-full flex-col gap-3">
        <header className="flex items-center gap-2 pr-10">
          <h2 className="min-w-0 flex-1 truncate font-sans text-lg tracking-normal" title={title}>
            {title}
          </h2>
          <p role="status" className="shrink-0 text-sm text-quiet">
            {index + 1} of {items.length}
          </p>
        </header>
        <div className="flex min-h-0 flex-1 items-center gap-1 sm:gap-3">
          <IconButton
            icon={ChevronLeft}
            label="Previous picture"
            keys="←"
            disabled={items.length < 2}
            onClick={() => step(-1)}
          />
          <Picture key={item.creationId} item={item} isComparing={isComparing} />
          <IconButton
            icon={ChevronRight}
            label="Next picture"
            keys="→"
            disabled={items.length < 2}
            onClick={() => step(1)}
          />
        </div>
        <WarningNotices warnings={item.warnings} />
        <footer className="flex flex-wrap items-center gap-2">
          <div className="mr-auto">
            <Checkbox checked={isSelected(item.creationId)} onChange={() => onSelect(item.creationId, false)}>
              Selected
            </Checkbox>
          </div>
          <Button size="small" aria-pressed={isComparing} onClick={() => setIsComparing(!isComparing)}>
            <Columns2 aria-hidden="true" className="size-4" />
            Compare
          </Button>
          <Actions item={item} />
          <Link to={paths.creation(item.creationId)} className={buttonClass('quiet', 'small')}>
            <ExternalLink aria-hidden="true" className="size-4" />
            Open its page
          </Link>
        </footer>
      </div>
    </Dialog>
  );
}

function Actions({ item }: { item: FinishedItem }) {
  const { data: creation, isLoading } = useCreation(item.creationId);
  return (
    <>
      {creation !== undefined && <EditCutOut creation={creation} />}
      <DownloadButton
        url={item.content}
        creation={creation}
        loading={isLoading}
        fallback={`picture-${item.n}`}
      />
    </>
  );
}

function Picture({ item, isComparing }: { item: FinishedItem; isComparing: boolean }) {
  const title = titleOfItem(item);
  return (
    <div className="relative grid min-w-0 flex-1 place-items-center">
      {isComparing ? (
        <Comparison item={item} title={title} />
      ) : (
        <div className="relative">
          <img
            src={sameOriginUrl(item.content)}
            alt={title}
            className="checker max-h-[60dvh] max-w-full rounded-control"
          />
          <WarningMarks warnings={item.warnings} />
        </div>
      )}
    </div>
  );
}

/** The result beside its original, or a sentence if they cannot be compared. */
function Comparison({ item, title }: { item: FinishedItem; title: string }) {
  const creation = useCreation(item.creationId).data;
  const versions = useVersions(item.creationId).data;
  const original = useOriginal(creation);
  const { url, canShow } = useImageUrl(original ?? null);
  const made = versions?.find((version) => version.original);
  const current = versions?.find((version) => version.current);
  if (original === undefined || current === undefined || made === undefined)
    return <p role="status">Loading the original</p>;
  const { width, height } = current;
  const isCropped = width !== made.width || height !== made.height;
  if (original === null || !canShow || width === null || height === null)
    return <p role="status">The original is no longer stored, or this browser cannot show it.</p>;
  if (isCropped) return <p role="status">This version has another size than the original.</p>;
  if (url === null) return null;
  return (
    <div style={{ width: `min(100%, ${(60 * width) / height}dvh)` }}>
      <BeforeAfter
        before={url}
        after={sameOriginUrl(item.content)}
        alt={title}
        width={width}
        height={height}
        className="max-w-none"
      >
        <WarningMarks warnings={item.warnings} />
      </BeforeAfter>
    </div>
  );
}
