import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import clsx from 'clsx';
import { ChevronDown, Search, Star, X } from 'lucide-react';
import type { CreationFilter } from '../../shared/api/creation-pages';
import { Button } from '../../shared/ui/button';
import { controlClass } from '../../shared/ui/field-frame';
import { useCreationTypes } from './creation-types';

interface CreationFilterBarProps {
  filter: CreationFilter;
  /** How many of each type the search finds. */
  counts: Readonly<Record<string, number>>;
  tags: readonly string[];
  onChange: (change: Partial<CreationFilter>) => void;
}

/** Debounces the search. */
const DEBOUNCE_MS = 250;

export function CreationFilterBar({ filter, counts, tags, onChange }: CreationFilterBarProps) {
  const displayOf = useCreationTypes();
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <div role="search" className="mb-4 grid grid-cols-1 gap-3 min-[22.5rem]:grid-cols-2 sm:flex sm:flex-wrap">
      <SearchBox value={filter.search} onChange={(search) => onChange({ search })} />
      <Select label="Type" value={filter.type} onChange={(type) => onChange({ type })}>
        <option value="">All types ({all})</option>
        {[...new Set([...Object.keys(counts), ...(filter.type ? [filter.type] : [])])].map((type) => (
          <option key={type} value={type}>
            {displayOf(type).label} ({counts[type] ?? 0})
          </option>
        ))}
      </Select>
      {(tags.length > 0 || filter.tag !== '') && (
        <Select label="Tag" value={filter.tag} onChange={(tag) => onChange({ tag })}>
          <option value="">All tags</option>
          {[...new Set([...tags, ...(filter.tag ? [filter.tag] : [])])].map((tag) => (
            <option key={tag}>{tag}</option>
          ))}
        </Select>
      )}
      <Select
        label="Order"
        value={filter.sort}
        onChange={(sort) => onChange({ sort: sort === 'oldest' ? 'oldest' : 'newest' })}
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

interface SelectProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  children: ReactNode;
}

function Select({ label, value, onChange, children }: SelectProps) {
  return (
    <div className="relative">
      <select
        aria-label={label}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        className={`${controlClass} appearance-none truncate pr-10`}
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-3.5 size-4 -translate-y-1/2 text-quiet"
      />
    </div>
  );
}

function SearchBox({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const onChangeRef = useRef(onChange);
  useEffect(() => {
    onChangeRef.current = onChange;
  });
  useEffect(() => {
    if (typed === null) return;
    const timer = setTimeout(() => {
      onChangeRef.current(typed.trim());
      setTyped(null);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const shown = typed ?? value;
  return (
    <div className="relative max-sm:col-span-full sm:min-w-56 sm:flex-1">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3.5 size-4 -translate-y-1/2 text-quiet"
      />
      <label htmlFor={id} className="sr-only">
        Search your creations
      </label>
      <input
        ref={input}
        id={id}
        type="text"
        maxLength={200}
        value={shown}
        placeholder="Search names, prompts and texts"
        autoComplete="off"
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        className={`${controlClass} pr-11 pl-10`}
      />
      {shown !== '' && (
        <button
          type="button"
          aria-label="Clear the search"
          onClick={() => {
            setTyped(null);
            onChange('');
            input.current?.focus();
          }}
          className="absolute top-1/2 right-1.5 grid size-9 -translate-y-1/2 place-items-center rounded-control text-quiet hover:text-ink"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      )}
    </div>
  );
}
