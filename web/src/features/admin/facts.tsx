import type { ReactNode } from 'react';
import clsx from 'clsx';

/** A list of terms and values. Values that are null are left out. */
export function Facts({ facts, narrow = false }: { facts: Record<string, ReactNode>; narrow?: boolean }) {
  return (
    <dl className={clsx('grid gap-x-8 gap-y-3', narrow ? 'grid-cols-2' : 'sm:grid-cols-2 xl:grid-cols-3')}>
      {Object.entries(facts)
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-sm text-quiet">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

export function Section({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="mt-10 first-of-type:mt-0">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 className="text-2xl">{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

const statusColors: Record<string, string> = {
  succeeded: 'text-success',
  failed: 'text-danger',
  'final error': 'text-danger',
  'passing error': 'text-warning',
  lost: 'text-danger',
  cancelled: 'text-quiet',
  retried: 'text-warning',
  waited: 'text-warning',
  released: 'text-quiet',
};

export const Status = ({ children }: { children: string }) => (
  <span className={clsx('font-semibold', statusColors[children])}>{children}</span>
);

export const secondsBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1_000;
