import { useState } from 'react';
import toast from 'react-hot-toast';
import { Globe, Lock } from 'lucide-react';
import type { Creation } from '#libs/contract/creations.js';
import { usePublishCreation } from '../creations/api/change-creation';
import { Button } from '../../shared/ui/button';
import { ShareButton } from '../../shared/ui/share-button';
import { PublishDialog } from './publish-dialog';

export function PublishActions({ creation }: { creation: Creation }) {
  const { id, page, prompt } = creation;
  const change = usePublishCreation();
  const [isOpen, setIsOpen] = useState(false);
  const unpublish = () =>
    change.mutate(
      { id, publish: false },
      {
        onSuccess: () => toast.success('Unpublished. Its link no longer works.'),
        onError: (error) => toast.error(error.message),
      },
    );
  return (
    <>
      {page !== null && <ShareButton url={page} title={prompt} />}
      {page === null ? (
        <Button size="small" onClick={() => setIsOpen(true)}>
          <Globe aria-hidden="true" className="size-4" />
          Publish
        </Button>
      ) : (
        <Button size="small" busy={change.isPending} onClick={unpublish}>
          {!change.isPending && <Lock aria-hidden="true" className="size-4" />}
          Unpublish
        </Button>
      )}
      {isOpen && <PublishDialog creation={creation} onClose={() => setIsOpen(false)} />}
    </>
  );
}
