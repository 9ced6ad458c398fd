import clsx from 'clsx';
import { Star } from 'lucide-react';
import toast from 'react-hot-toast';
import type { Creation } from '#libs/contract/creations.js';
import { useRenameCreation } from '../../shared/api/change-creation';
import { titleOf } from '../../shared/creations/title-of';

export function FavouriteButton({ creation }: { creation: Creation }) {
  const change = useRenameCreation();
  const { id, favourite } = creation;
  return (
    <button
      type="button"
      aria-label={`Favourite ${titleOf(creation)}`}
      aria-pressed={favourite}
      title={favourite ? 'Remove from favourites' : 'Add to favourites'}
      onClick={() =>
        change.mutate({ id, favourite: !favourite }, { onError: ({ message }) => toast.error(message) })
      }
      className="grid size-11 shrink-0 place-items-center rounded-control text-quiet hover:bg-tint hover:text-ink"
    >
      <Star aria-hidden="true" className={clsx('size-4', favourite && 'fill-current text-live')} />
    </button>
  );
}
