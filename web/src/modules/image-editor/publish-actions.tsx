import { useState } from 'react';
import toast from 'react-hot-toast';
import { Globe, Lock } from 'lucide-react';
import type { Creation } from '#libs/contract/creations.js';
import { useConfig } from '../../shared/account/read-config';
import { usePublishCreation } from '../creations/api/change-creation';
import { Button } from '../../shared/ui/button';
import { ShareButton } from '../../shared/ui/share-button';
import { PublishDialog } from './publish-dialog';

export function PublishActions({ creation }: { creation: Creation }) {
  const { id, page, prompt, moderation } = creation;
  const isOff = useConfig().data?.publishing === 'off';
  const isWaiting = moderation?.state === 'waiting';
  const change = usePublishCreation();
  const [isOpen, setIsOpen] = useState(false);
  const unpublish = () =>
    change.mutate(
      { id, publish: false },
      {
        onSuccess: () =>
          toast.success(
            isWaiting ? 'It no longer waits to be published.' : 'Unpublished. Its link no longer works.',
          ),
        onError: (error) => toast.error(error.message),
      },
    );
  return (
    <>
      {page !== null && <ShareButton url={page} title={prompt} />}
      {page === null && !isWaiting ? (
        moderation?.state !== 'hidden' &&
        !isOff && (
          <Button size="small" onClick={() => setIsOpen(true)}>
            <Globe aria-hidden="true" className="size-4" />
            Publish
          </Button>
        )
      ) : (
        <Button size="small" busy={change.isPending} onClick={unpublish}>
          {!change.isPending && <Lock aria-hidden="true" className="size-4" />}
          {isWaiting ? 'Do not publish' : 'Unpublish'}
        </Button>
      )}
      {isOpen && <PublishDialog creation={creation} onClose={() => setIsOpen(false)} />}
    </>
  );
}
