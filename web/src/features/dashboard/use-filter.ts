import { useSearchParams } from 'react-router-dom';
import type { CreationFilter } from '../../shared/api/creation-pages';

/** What the dashboard's list is narrowed by. It stands in the address: a reload, a link and Back have it. */
export function useFilter(): {
  filter: CreationFilter;
  /** Whether anything is narrowed. */
  active: boolean;
  set: (change: Partial<CreationFilter>) => void;
} {
  const [parameters, setParameters] = useSearchParams();
  const filter: CreationFilter = {
    search: parameters.get('q') ?? '',
    type: parameters.get('type') ?? '',
    sort: parameters.get('sort') === 'oldest' ? 'oldest' : 'newest',
  };
  return {
    filter,
    active: filter.search !== '' || filter.type !== '',
    set: (change) => {
      const { search, type, sort } = { ...filter, ...change };
      const next = new URLSearchParams();
      if (search !== '') next.set('q', search);
      if (type !== '') next.set('type', type);
      if (sort !== 'newest') next.set('sort', sort);
      setParameters(next, { replace: true });
    },
  };
}
