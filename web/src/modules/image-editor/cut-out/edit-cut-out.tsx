import { lazy, Suspense, useState } from 'react';
import { Eraser } from 'lucide-react';
import type { Creation } from '#libs/contract/creations.js';
import { latestCutOut, useVersions } from '../../creations/versions/versions';
import { Button } from '../../../shared/ui/button';

const CutOutDialog = lazy(() => import('./cut-out-dialog'));

/** The button that opens the cut-out editor. Renders nothing for images without a cut-out. */
export function EditCutOut({ creation }: { creation: Creation }) {
  const [open, setOpen] = useState(false);
  const versions = useVersions(creation.type === 'image' ? creation.id : null).data ?? [];
  if (latestCutOut(versions) === undefined && !open) return null;
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        <Eraser aria-hidden="true" className="size-4" />
        Edit cut-out
      </Button>
      {open && (
        <Suspense>
          <CutOutDialog creation={creation} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
