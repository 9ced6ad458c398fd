import { memo } from 'react';
import clsx from 'clsx';
import { Link } from 'react-router-dom';
import { titleOf } from '../../modules/creations/title-of';
import { formatDate } from '../../shared/lib/format';
import { sameOriginUrl } from '../../shared/lib/same-origin-url';
import { paths } from '../../shared/paths';
import { DeleteButton, FavouriteButton, SelectBox, type CreationRowProps } from './creation-buttons';

/** Tile of an image in the grid, with a link to its page. */
export const PictureTile = memo(function PictureTile(props: CreationRowProps) {
  const { creation, isSelecting, isSelected } = props;
  const { id, thumbnail, content, tags, created_at: createdAt } = creation;
  const title = titleOf(creation);
  return (
    <li
      className={clsx(
        'panel relative overflow-hidden',
        isSelecting && isSelected && 'outline-2 outline-accent',
      )}
    >
      {/* The focus outline is inside the tile, which clips everything outside. */}
      <Link to={paths.creation(id)} data-creation={id} className="block outline-offset-[-2px]">
        <img
          src={sameOriginUrl(thumbnail ?? content)}
          alt=""
          loading="lazy"
          className="checker aspect-square w-full object-cover"
        />
        <h3 className="mt-2 truncate px-3 font-sans text-sm font-semibold tracking-normal" title={title}>
          {title}
        </h3>
      </Link>
      <div className="flex min-h-11 items-center pb-1 pl-3">
        <p className="min-w-0 flex-1 truncate text-xs text-quiet">
          <time dateTime={createdAt}>{formatDate(createdAt)}</time>
          {tags.length > 0 && <span> · {tags.join(', ')}</span>}
        </p>
        {!isSelecting && (
          <>
            <FavouriteButton {...props} />
            <DeleteButton {...props} />
          </>
        )}
      </div>
      {isSelecting && <SelectBox {...props} coversTile />}
    </li>
  );
});
