import { useSearchParams } from 'react-router-dom';
import type { SavedFilter } from '#libs/contract/creations.js';
import type { CreationFilter } from '../../modules/creations/api/creation-pages';
import { useChangeParameters } from '../../shared/lib/use-change-parameters';

export const NO_FILTER: SavedFilter = { search: '', type: '', tag: '', favourite: false };

/** Filter of the dashboard's list. It is stored in the URL, so that it survives reloads and Back. */
export function useCreationFilter(): {
  filter: CreationFilter;
  /** True if the filter can exclude creations. */
  active: boolean;
  set: (change: Partial<CreationFilter>) => void;
  /** True if all creations are listed, false if only the latest. */
  all: boolean;
  setAll: (all: boolean) => void;
} {
  const [parameters] = useSearchParams();
  const changeParameters = useChangeParameters();
  const all = parameters.has('all');
  const filter: CreationFilter = {
    search: parameters.get('q') ?? '',
    type: parameters.get('type') ?? '',
    tag: parameters.get('tag') ?? '',
    favourite: parameters.has('favourite'),
    sort: parameters.get('sort') === 'oldest' ? 'oldest' : 'newest',
  };
  return {
    filter,
    active: filter.search !== '' || filter.type !== '' || filter.tag !== '' || filter.favourite,
    set: (change) => changeParameters(parametersOf(change)),
    all,
    setAll: (next) => changeParameters({ all: next ? '' : null }),
  };
}

function parametersOf({ search, type, tag, favourite, sort }: Partial<CreationFilter>) {
  return {
    ...(search !== undefined && { q: search || null }),
    ...(type !== undefined && { type: type || null }),
    ...(tag !== undefined && { tag: tag || null }),
    ...(favourite !== undefined && { favourite: favourite ? '1' : null }),
    ...(sort !== undefined && { sort: sort === 'newest' ? null : sort }),
  };
}
