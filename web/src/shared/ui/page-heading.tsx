import type { ReactNode } from 'react';

interface PageHeadingProps {
  children: string;
  badge?: ReactNode;
  lead?: string;
  actions?: ReactNode;
}

/** Heading of a page. Also sets the document title. */
export function PageHeading({ children, badge, lead, actions }: PageHeadingProps) {
  return (
    <header className="mb-8 flex flex-wrap items-end justify-between gap-x-6 gap-y-4 sm:mb-10">
      <title>{`${children} · Pressroom`}</title>
      <div className="min-w-0">
        <h1 className="flex flex-wrap items-center gap-x-4 gap-y-2 text-4xl wrap-anywhere sm:text-5xl">
          {children}
          {badge}
        </h1>
        {lead !== undefined && <p className="mt-3 max-w-xl wrap-anywhere text-quiet">{lead}</p>}
      </div>
      {actions}
    </header>
  );
}
