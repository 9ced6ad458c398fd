import type { QueryClient } from '@tanstack/react-query';
import type { Creation, OwnCreations } from '#libs/contract/creations.js';
import { creationRoutes } from '#libs/contract/routes/creations.js';
import { isNotFound, type Http } from '../../../shared/http/http';
import { queryKeys } from '../../../shared/http/query-keys';
import { call } from '../../../shared/http/call';
import { isLongList, readCreationPage, type CreationFilter, type CreationPages } from './creation-pages';

/** Maximum number of changed creations that are fetched one by one. For more, the whole list is refetched. */
const CHANGES_READ_ALONE = 20;

/**
 * Refetches all lists of creations. For a long list, fetches only the first page and the changed creations.
 * @param ids the changed creations
 */
export async function refreshCreations(
  queries: QueryClient,
  http: Http,
  ids: readonly string[] = [],
): Promise<void> {
  const long = queries
    .getQueryCache()
    .findAll({ queryKey: queryKeys.creationLists })
    .filter(
      ({ state }) => isLongList(state.data as CreationPages | undefined) && ids.length <= CHANGES_READ_ALONE,
    );
  const keys = new Set(long.map(({ queryHash }) => queryHash));
  const others = queries.invalidateQueries({
    queryKey: queryKeys.creations,
    predicate: ({ queryHash }) => !keys.has(queryHash),
  });
  if (long.length > 0) {
    try {
      const changed = new Map(await Promise.all(ids.map(async (id) => [id, await read(http, id)] as const)));
      for (const { queryKey } of long) {
        const filter = queryKey[2] as CreationFilter;
        const start = await readCreationPage(http, filter, '');
        queries.setQueryData<CreationPages>(queryKey, (data) => data && merge(data, start, changed, filter));
      }
    } catch {
      // Ignored: the next event or page load brings the changes.
    }
  }
  await others;
}

/** @returns null if the creation was deleted */
async function read(http: Http, id: string): Promise<Creation | null> {
  try {
    return (await call(http, creationRoutes.getCreation, { params: { id } })).creation;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** Merges the refetched first page and the changed creations into a list. @param changed by ID; null if deleted */
export function merge(
  data: CreationPages,
  start: OwnCreations,
  changed: ReadonlyMap<string, Creation | null>,
  filter: CreationFilter,
): CreationPages {
  const listed = new Set(data.pages.flatMap(({ creations }) => creations.map(({ id }) => id)));
  const fresh = new Map(start.creations.map((creation) => [creation.id, creation]));
  for (const [id, creation] of changed)
    if (creation && isFound(creation, filter, listed.has(id))) fresh.set(id, creation);
  const added = [...fresh.values()].filter(({ id }) => !listed.has(id));
  const order = filter.sort === 'oldest' ? 1 : -1;
  const pages = data.pages.map((page, index) => {
    const next = data.pages[index + 1]?.creations[0];
    const mine = added.filter((creation) => {
      const isBefore = next === undefined || order * compare(creation, next) < 0;
      return isBefore && added.splice(added.indexOf(creation), 1).length > 0;
    });
    const remaining = page.creations
      .filter(({ id }) => !changed.has(id) || fresh.has(id))
      .map((creation) => fresh.get(creation.id) ?? creation);
    const creations =
      mine.length === 0
        ? remaining
        : [...remaining, ...mine].sort((one, other) => order * compare(one, other));
    return { ...page, creations };
  });
  const { total, counts, tags } = start;
  return {
    ...data,
    pages: pages.map((page, index) => (index === 0 ? { ...page, total, counts, tags } : page)),
  };
}

const compare = (one: Creation, other: Creation) =>
  one.created_at.localeCompare(other.created_at) || one.id.localeCompare(other.id);

/** True if a filter includes a creation. Only the server can search, so with search words, listed creations stay listed. */
const isFound = (creation: Creation, { search, type, tag, favourite }: CreationFilter, wasListed: boolean) =>
  (search === '' || wasListed) &&
  (type === '' || creation.type === type) &&
  (tag === '' || creation.tags.includes(tag.toLowerCase())) &&
  (!favourite || creation.favourite);
