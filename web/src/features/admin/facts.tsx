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
  lost: 'text-danger',
  cancelled: 'text-quiet',
  retried: 'text-warning',
  released: 'text-quiet',
};

export const Status = ({ children }: { children: string }) => (
  <span className={clsx('font-semibold', statusColors[children])}>{children}</span>
);

/** Seconds as "0.4 s", "40 s", "12 min", "3 h" or "2 days". */
export function formatSeconds(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

/** Formats a time with seconds, in the browser's zone. */
export const formatExact = (iso: string) => exact.format(new Date(iso));

export const secondsBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1_000;
