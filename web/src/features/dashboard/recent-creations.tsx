import { useMemo } from 'react';
import clsx from 'clsx';
import { useQueryClient } from '@tanstack/react-query';
import { ListChecks } from 'lucide-react';
import { Link } from 'react-router-dom';
import { MAX_SEARCH_WORDS } from '#libs/contract/creations.js';
import type { useCreationPages } from '../../modules/creations/api/creation-pages';
import { isTooFast } from '../../shared/http/http';
import { queryKeys } from '../../shared/http/query-keys';
import { paths } from '../../shared/paths';
import { formatCount } from '../../shared/lib/format';
import { Button, buttonClass } from '../../shared/ui/button';
import { Notice } from '../../shared/ui/notice';
import { CreationList } from './creation-list';
import { LoadAhead } from './list-part';
import { CreationFilterBar } from './creation-filter-bar';
import { Folders } from './folders';
import { EmptyPanel, Section } from './section';
import { SelectionBar } from './selection-bar';
import { useScrollRestoration } from './use-scroll-restoration';
import { useSelection } from '../../modules/creations/use-selection';
import { useDeleteWithUndo } from './use-delete-with-undo';
import { NO_FILTER, type useCreationFilter } from './use-creation-filter';

const MAX_VISIBLE = 4;

interface RecentCreationsProps {
  query: ReturnType<typeof useCreationPages>;
  creationFilter: ReturnType<typeof useCreationFilter>;
}

export function RecentCreations({ query, creationFilter }: RecentCreationsProps) {
  const { filter, active, set, all, setAll } = creationFilter;
  useScrollRestoration();
  const remove = useDeleteWithUndo();
  const queries = useQueryClient();
  // Reset the query, since a refetch would wait for the next automatic retry.
  const searchAgain = () => queries.resetQueries({ queryKey: queryKeys.creationPages(filter) });
  const creations = useMemo(
    () => (query.data?.pages ?? []).flatMap((page) => page.creations),
    [query.data?.pages],
  );
  const showsAll = all || active;
  const visible = useMemo(
    () => (showsAll ? creations : creations.slice(0, MAX_VISIBLE)),
    [showsAll, creations],
  );
  const selection = useSelection(visible.map(({ id }) => id));
  const latest = query.data?.pages[0];
  if (latest === undefined) return null;
  const { total, counts, tags } = latest;
  const found = filter.type === '' ? sum(counts) : (counts[filter.type] ?? 0);
  return (
    <Section
      title="Recent Creations"
      expanded={!active && total > MAX_VISIBLE ? all : null}
      onToggle={() => setAll(!all)}
    >
      <Folders creationFilter={creationFilter} />
      {total > 0 && <CreationFilterBar filter={filter} counts={counts} tags={tags} onChange={set} />}
      <p role="status" className={clsx(active ? 'mb-3 text-sm text-quiet' : 'sr-only')}>
        {active && `${found} of ${formatCount(total, 'creation')} found`}
        {wordsOf(filter.search) > MAX_SEARCH_WORDS && `, by the first ${MAX_SEARCH_WORDS} words`}
      </p>
      {active && query.failureReason !== null && !isTooFast(query.failureReason) && (
        <div className="mb-4">
          <Notice tone="danger" title="The search failed" onRetry={searchAgain}>
            {query.failureReason.message}
          </Notice>
        </div>
      )}
      {visible.length > 0 ? (
        <>
          {selection.active ? (
            <SelectionBar
              selection={selection}
              listed={visible.length}
              onDelete={(ids) => remove(visible.filter(({ id }) => ids.includes(id)))}
            />
          ) : (
            <div className="mb-2 flex justify-end">
              <Button size="small" variant="quiet" onClick={selection.start}>
                <ListChecks aria-hidden="true" className="size-4" />
                Select several
              </Button>
            </div>
          )}
          <div
            aria-busy={query.isPlaceholderData || undefined}
            className={clsx(query.isPlaceholderData && 'opacity-60')}
          >
            <CreationList
              creations={visible}
              isGallery={filter.type === 'image'}
              selection={selection}
              onDelete={remove}
            />
          </div>
          {showsAll && query.hasNextPage && (
            <div className="mt-6 flex flex-wrap items-center justify-center gap-4 text-sm text-quiet">
              <span>
                {creations.length} of {found} shown
              </span>
              <LoadAhead
                waiting={query.isFetching || query.failureReason !== null}
                load={query.fetchNextPage}
              />
              <Button size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                Show more
              </Button>
            </div>
          )}
        </>
      ) : total > 0 ? (
        <EmptyPanel
          text={`Nothing found${filter.search === '' ? '' : ` for “${filter.search}”`}`}
          action={<Button onClick={() => set(NO_FILTER)}>Show all creations</Button>}
        />
      ) : (
        <EmptyPanel
          text="No creations found"
          action={
            <Link to={paths.tool('write-article')} className={buttonClass('primary')}>
              Create Your First Content
            </Link>
          }
        />
      )}
    </Section>
  );
}

const wordsOf = (search: string) => new Set(search.split(/\s+/).filter(Boolean)).size;

const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((total, count) => total + count, 0);
