import toast from 'react-hot-toast';
import { Globe, Lock } from 'lucide-react';
import type { Creation } from '#libs/contract/creations.js';
import { usePublishCreation } from '../creations/api/change-creation';
import { Button } from '../../shared/ui/button';
import { ShareButton } from '../../shared/ui/share-button';

export function PublishActions({ creation: { id, page, prompt } }: { creation: Creation }) {
  const change = usePublishCreation();
  const setPublished = (publish: boolean) =>
    change.mutate(
      { id, publish },
      {
        onSuccess: () =>
          toast.success(publish ? 'Published in the community' : 'Unpublished. Its link no longer works.'),
        onError: (error) => toast.error(error.message),
      },
    );
  const Icon = page === null ? Globe : Lock;
  return (
    <>
      {page !== null && <ShareButton url={page} title={prompt} />}
      <Button size="small" busy={change.isPending} onClick={() => setPublished(page === null)}>
        {!change.isPending && <Icon aria-hidden="true" className="size-4" />}
        {page === null ? 'Publish' : 'Unpublish'}
      </Button>
    </>
  );
}
