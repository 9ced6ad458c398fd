import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';

const MAX_VISIBLE = 3;

interface RecentListProps {
  title: string;
  /** Whether the list is a page section, and not part of a tool's page. */
  isOwnSection: boolean;
  all: { path: string; label: string };
  rows: ReactNode[];
}

/** The first rows of a list, with a link to all; nothing without rows. */
export function RecentList({ title, isOwnSection, all, rows }: RecentListProps) {
  if (rows.length === 0) return null;
  return (
    <section aria-label={title} className="w-full">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className={isOwnSection ? 'text-2xl' : 'text-lg'}>{title}</h2>
        <Link to={all.path} className="text-sm text-quiet underline underline-offset-4 hover:text-ink">
          {all.label}
        </Link>
      </div>
      <ul className="mt-3 border-t border-line">{rows.slice(0, MAX_VISIBLE)}</ul>
    </section>
  );
}
