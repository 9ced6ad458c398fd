import toast from 'react-hot-toast';
import type { Creation } from '#libs/contract/creations.js';
import { useDeleteCreations, useRestoreCreations } from '../../modules/creations/api/change-creation';
import { titleOf } from '../../modules/creations/title-of';
import { showUndo } from '../../shared/ui/undo-toast';

/** Deletes creations and shows a toast with an Undo button. The server can restore deleted creations for a day. */
export function useDeleteWithUndo(): (creations: readonly Creation[]) => void {
  const remove = useDeleteCreations();
  const restore = useRestoreCreations();
  const failed = ({ message }: Error) => void toast.error(message);

  const undo = (ids: string[]) =>
    restore.mutate(ids, {
      onSuccess: ({ restored }) =>
        toast.success(restored.length === 1 ? 'Restored' : `Restored ${restored.length} creations`),
      onError: failed,
    });
  return (creations) => {
    const [first] = creations;
    if (first === undefined) return;
    // Use the promise: of several deletions at once, `mutate` runs callbacks only for the last.
    remove.mutateAsync(creations).then(({ deleted }) => {
      const text = creations.length === 1 ? `“${titleOf(first)}”` : `${deleted.length} creations`;
      showUndo(`Deleted ${text}`, () => undo(deleted));
    }, failed);
  };
}
