import { useSearchParams } from 'react-router-dom';
import type { SavedFilter } from '#libs/contract/creations.js';
import type { CreationFilter } from '../../shared/api/creation-pages';

export const NO_FILTER: SavedFilter = { search: '', type: '', tag: '', favourite: false };

/** The filter of the dashboard's list. It is kept in the address. */
export function useCreationFilter(): {
  filter: CreationFilter;
  /** Whether the filter excludes anything. */
  active: boolean;
  set: (change: Partial<CreationFilter>) => void;
  /** Whether all creations are listed, not the latest ones alone. */
  all: boolean;
  setAll: (all: boolean) => void;
} {
  const [parameters, setParameters] = useSearchParams();
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
    set: (change) => {
      const { search, type, tag, favourite, sort } = { ...filter, ...change };
      const next = new URLSearchParams(all ? { all: '' } : {});
      if (search !== '') next.set('q', search);
      if (type !== '') next.set('type', type);
      if (tag !== '') next.set('tag', tag);
      if (favourite) next.set('favourite', '1');
      if (sort !== 'newest') next.set('sort', sort);
      setParameters(next, { replace: true });
    },
    all,
    setAll: (next) =>
      setParameters(
        (before) => {
          if (next) before.set('all', '');
          else before.delete('all');
          return before;
        },
        { replace: true },
      ),
  };
}
