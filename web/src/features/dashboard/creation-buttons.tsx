import clsx from 'clsx';
import { Star, Trash2 } from 'lucide-react';
import type { Creation } from '#libs/contract/creations.js';
import { titleOf } from '../../modules/creations/title-of';

/** Props of a creation in a list. The functions must be stable, so that a long list renders only changed rows. */
export interface CreationRowProps {
  creation: Creation;
  /** True while the user is selecting creations. */
  isSelecting: boolean;
  isSelected: boolean;
  onSelect: (id: string, range: boolean) => void;
  onFavourite: (creation: Creation) => void;
  onRemove: (creation: Creation) => void;
}

const buttonClass =
  'grid size-11 shrink-0 place-items-center rounded-control text-quiet outline-offset-[-2px] hover:bg-tint';

export function FavouriteButton({
  creation,
  onFavourite,
}: Pick<CreationRowProps, 'creation' | 'onFavourite'>) {
  const { favourite } = creation;
  return (
    <button
      type="button"
      aria-label={`Favourite ${titleOf(creation)}`}
      aria-pressed={favourite}
      title={favourite ? 'Remove from favourites' : 'Add to favourites'}
      onClick={() => onFavourite(creation)}
      className={`${buttonClass} hover:text-ink`}
    >
      <Star aria-hidden="true" className={clsx('size-4', favourite && 'fill-current text-live')} />
    </button>
  );
}

export function DeleteButton({ creation, onRemove }: Pick<CreationRowProps, 'creation' | 'onRemove'>) {
  return (
    <button
      type="button"
      aria-label={`Delete ${titleOf(creation)}`}
      title="Delete"
      onClick={() => onRemove(creation)}
      className={`${buttonClass} hover:text-danger`}
    >
      <Trash2 aria-hidden="true" className="size-4" />
    </button>
  );
}

type SelectBoxProps = Pick<CreationRowProps, 'creation' | 'isSelected' | 'onSelect'> & {
  /** True if the checkbox covers the whole tile, so that a click anywhere selects the creation. */
  coversTile?: boolean;
};

export function SelectBox({ creation, isSelected, onSelect, coversTile = false }: SelectBoxProps) {
  const box = (
    <input
      type="checkbox"
      aria-label={`Select ${titleOf(creation)}`}
      checked={isSelected}
      onChange={({ nativeEvent }) =>
        onSelect(creation.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
      }
      className="size-5 cursor-pointer accent-[var(--accent)]"
    />
  );
  return coversTile ? (
    <label className="absolute inset-0 cursor-pointer p-2 select-none">
      <span className="grid size-11 place-items-center rounded-control bg-raised">{box}</span>
    </label>
  ) : (
    <label className="grid size-11 shrink-0 cursor-pointer place-items-center">{box}</label>
  );
}
