import clsx from 'clsx';
import { Star } from 'lucide-react';
import type { CreationFilter } from '../../modules/creations/api/creation-pages';
import { Button } from '../../shared/ui/button';
import { SearchBox } from '../../shared/ui/search-box';
import { Select } from '../../shared/ui/select';
import { useCreationTypes } from './creation-types';

interface CreationFilterBarProps {
  filter: CreationFilter;
  /** Number of search results by type. */
  counts: Readonly<Record<string, number>>;
  tags: readonly string[];
  onChange: (change: Partial<CreationFilter>) => void;
}

export function CreationFilterBar({ filter, counts, tags, onChange }: CreationFilterBarProps) {
  const displayOf = useCreationTypes();
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <div role="search" className="mb-4 grid gap-3 min-[22.5rem]:grid-cols-2 sm:flex sm:flex-wrap">
      <div className="max-sm:col-span-full sm:min-w-56 sm:flex-1">
        <SearchBox
          label="Search your creations"
          placeholder="Search names, prompts and texts"
          value={filter.search}
          onChange={(search) => onChange({ search })}
        />
      </div>
      <Select
        aria-label="Type"
        value={filter.type}
        onChange={({ currentTarget }) => onChange({ type: currentTarget.value })}
      >
        <option value="">All types ({all})</option>
        {[...new Set([...Object.keys(counts), ...(filter.type ? [filter.type] : [])])].map((type) => (
          <option key={type} value={type}>
            {displayOf(type).label} ({counts[type] ?? 0})
          </option>
        ))}
      </Select>
      {(tags.length > 0 || filter.tag !== '') && (
        // A select is as wide as its longest option, so limit the width.
        <div className="sm:max-w-48">
          <Select
            aria-label="Tag"
            value={filter.tag}
            onChange={({ currentTarget }) => onChange({ tag: currentTarget.value })}
          >
            <option value="">All tags</option>
            {[...new Set([...tags, ...(filter.tag ? [filter.tag] : [])])].map((tag) => (
              <option key={tag}>{tag}</option>
            ))}
          </Select>
        </div>
      )}
      <Select
        aria-label="Order"
        value={filter.sort}
        onChange={({ currentTarget }) =>
          onChange({ sort: currentTarget.value === 'oldest' ? 'oldest' : 'newest' })
        }
      >
        <option value="newest">Newest first</option>
        <option value="oldest">Oldest first</option>
      </Select>
      <Button
        aria-pressed={filter.favourite}
        onClick={() => onChange({ favourite: !filter.favourite })}
        className="aria-pressed:border-accent aria-pressed:bg-tint"
      >
        <Star aria-hidden="true" className={clsx('size-4', filter.favourite && 'fill-current text-live')} />
        Favourites
      </Button>
    </div>
  );
}
