import { useEffect, lazy, Suspense, useId, useState } from 'react';
import { History, PaintBucket } from 'lucide-react';
import { Button } from '../../shared/ui/button';
import { Spinner } from '../../shared/ui/spinner';
import { VersionList } from '../creations/versions/version-list';
import { latestCutOut, useVersions } from '../creations/versions/versions';
import { scrollToTopOf } from '../../shared/lib/scroll-to';

const CompositionPanel = lazy(() => import('./composition/composition-panel'));

interface ImageVersionsProps {
  creationId: string;
  /** Prefix of the names of downloaded files. */
  fileName: string;
}

type Panel = 'background' | 'versions';

/** A panel that opens further down the screen, as a share of its height, is scrolled to. */
const MAX_TOP = 0.6;

/** The panels below an image: Background, which composes an image from a cut-out, and Versions. */
export function ImageVersions({ creationId, fileName }: ImageVersionsProps) {
  const id = useId();
  const [open, setOpen] = useState<Panel | null>(null);
  useEffect(() => {
    if (open === null) return;
    const element = document.getElementById(`${id}-${open}`);
    const isBelow = (element?.getBoundingClientRect().top ?? 0) > window.innerHeight * MAX_TOP;
    if (isBelow) scrollToTopOf(element);
  }, [id, open]);
  const versions = useVersions(creationId).data ?? [];
  const cutOut = latestCutOut(versions);
  const current = versions.find((version) => version.current);
  const panels = [
    ...(cutOut && current
      ? [{ panel: 'background', label: 'Background and size', Icon: PaintBucket } as const]
      : []),
    ...(versions.length > 1
      ? [{ panel: 'versions', label: `Versions (${versions.length})`, Icon: History } as const]
      : []),
  ];
  if (panels.length === 0) return null;
  return (
    <div className="@container grid gap-5">
      <div className="flex flex-wrap gap-2">
        {panels.map(({ panel, label, Icon }) => (
          <Button
            key={panel}
            size="small"
            aria-expanded={open === panel}
            aria-controls={`${id}-${panel}`}
            onClick={() => setOpen(open === panel ? null : panel)}
            className={open === panel ? 'bg-tint' : undefined}
          >
            <Icon aria-hidden="true" className="size-4" />
            {label}
          </Button>
        ))}
      </div>
      <section
        className="scroll-mt-20"
        id={`${id}-background`}
        aria-label="Background and size"
        hidden={open !== 'background'}
      >
        {open === 'background' && cutOut && current && (
          <Suspense fallback={<Spinner className="mx-auto my-20 size-6" />}>
            <CompositionPanel
              creationId={creationId}
              cutOut={cutOut}
              current={current.id}
              fileName={fileName}
            />
          </Suspense>
        )}
      </section>
      <div className="scroll-mt-20" id={`${id}-versions`} hidden={open !== 'versions'}>
        {open === 'versions' && <VersionList creationId={creationId} versions={versions} />}
      </div>
    </div>
  );
}
