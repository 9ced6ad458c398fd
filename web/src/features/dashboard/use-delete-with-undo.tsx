import toast from 'react-hot-toast';
import type { Creation } from '#libs/contract/creations.js';
import { useDeleteCreation, useRestoreCreation } from '../../shared/api/change-creation';
import { titleOf } from '../../shared/creations/title-of';
import { buttonClass } from '../../shared/ui/button';

/** How long Undo is offered. The server could restore the creation for a day. */
const UNDO_MS = 10_000;

/** Deletes a creation and offers to undo that, in a toast for each deletion. */
export function useDeleteWithUndo(): (creation: Creation) => void {
  const remove = useDeleteCreation();
  const restore = useRestoreCreation();

  const undo = (creation: Creation, id: string) => {
    toast.dismiss(id);
    restore.mutate(creation.id, {
      onSuccess: () => toast.success('Restored'),
      onError: (error) => toast.error(error.message),
    });
  };
  return (creation) => {
    // The mutation's own callbacks run only for the latest of several deletions.
    remove.mutateAsync(creation).then(
      () =>
        toast(
          ({ id }) => (
            <span className="flex items-center gap-3">
              <span className="line-clamp-1 min-w-0 flex-1">Deleted “{titleOf(creation)}”</span>
              <button
                type="button"
                onClick={() => undo(creation, id)}
                className={buttonClass('plain', 'small')}
              >
                Undo
              </button>
            </span>
          ),
          { duration: UNDO_MS },
        ),
      (error: Error) => toast.error(error.message),
    );
  };
}
