import { lazy, Suspense, useState } from 'react';
import { Link2 } from 'lucide-react';
import { Button } from '../../shared/ui/button';

const ShareDialog = lazy(async () => ({ default: (await import('./share-dialog')).ShareDialog }));

/** Button that opens the dialog for sharing a text by link. */
export function ShareText({ creationId }: { creationId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Link2 aria-hidden="true" className="size-4" />
        Share
      </Button>
      <Suspense fallback={null}>
        {open && <ShareDialog creationId={creationId} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
