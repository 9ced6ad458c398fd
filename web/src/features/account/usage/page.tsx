import type { ReactNode } from 'react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { accountRoutes } from '#libs/contract/routes/account.js';
import type { Receipt, Usage } from '#libs/contract/usage.js';
import { useHttp } from '../../../shared/account/use-http';
import { call } from '../../../shared/http/call';
import { queryKeys } from '../../../shared/http/query-keys';
import { formatBytes } from '../../../shared/lib/check-file';
import { formatCount, formatTime, formatUtcDay } from '../../../shared/lib/format';
import { useChangeParameters } from '../../../shared/lib/use-change-parameters';
import { findSummary } from '../../../shared/tools/summary-of';
import { FieldFrame } from '../../../shared/ui/field-frame';
import { Notice } from '../../../shared/ui/notice';
import { PageHeading } from '../../../shared/ui/page-heading';
import { PagedList } from '../../../shared/ui/paged-list';
import { Select } from '../../../shared/ui/select';
import { Loading } from '../../../shared/ui/spinner';
import { ExportSection } from '../export-section';

const MONTHS_LISTED = 12;
const monthName = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The last months in UTC, as `2026-11`, the newest first. */
const lastMonths = () => {
  const now = new Date();
  return Array.from({ length: MONTHS_LISTED }, (_, n) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - n)).toISOString().slice(0, 7),
  );
};

export default function UsagePage() {
  const [parameters] = useSearchParams();
  const change = useChangeParameters();
  const months = lastMonths();
  const month = months.find((known) => known === parameters.get('month')) ?? months[0]!;
  return (
    <>
      <PageHeading
        lead="What you made and spent, day by day, and a receipt for each job. Days and months are in UTC."
        actions={
          <div className="w-56">
            <FieldFrame id="usage-month" label="Month">
              <Select
                id="usage-month"
                value={month}
                onChange={({ currentTarget }) => change({ month: currentTarget.value })}
              >
                {months.map((known) => (
                  <option key={known} value={known}>
                    {monthName.format(new Date(`${known}-01`))}
                  </option>
                ))}
              </Select>
            </FieldFrame>
          </div>
        }
      >
        Usage
      </PageHeading>
      <MonthUsage month={month} />
      <h2 className="mt-12 mb-4 text-2xl">Receipts</h2>
      <Receipts month={month} />
      <div className="mt-12">
        <ExportSection heading="h2" />
      </div>
    </>
  );
}

function MonthUsage({ month }: { month: string }) {
  const http = useHttp();
  const { data, failureReason, refetch } = useQuery({
    queryKey: queryKeys.usage(month),
    queryFn: async ({ signal }) =>
      (await call(http, accountRoutes.getUsage, { query: { month }, signal })).usage,
  });
  if (data) return <Sums usage={data} />;
  if (failureReason === null) return <Loading label="Loading your usage" />;
  return (
    <Notice tone="danger" title="Your usage could not be loaded" onRetry={refetch}>
      {failureReason.message}
    </Notice>
  );
}

function Sums({ usage: { credits, entries, planChanges, days, keys, storage } }: { usage: Usage }) {
  const hasLedger = credits.granted > 0;
  const sums = [
    ['Granted', credits.granted],
    ['Charged', -credits.charged],
    ['Given back', credits.refunded],
    ...(credits.adjusted === 0 ? [] : [['Changed by an operator', credits.adjusted] as const]),
    ['Left', credits.left],
  ] as const;
  return (
    <div className="grid gap-12">
      <section>
        <h2 className="mb-4 text-2xl">Credits</h2>
        {hasLedger ? (
          <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
            {sums.map(([label, amount]) => (
              <div key={label}>
                <dt className="text-sm text-quiet">{label}</dt>
                <dd className="font-mono text-xl">{amount.toLocaleString('en')}</dd>
              </div>
            ))}
          </dl>
        ) : (
          <p className="text-quiet">No credits were charged in this month.</p>
        )}
        {(entries.length > 0 || planChanges.length > 0) && (
          <List label="Grants and plan changes">
            {entries.map(({ kind, amount, note, at }, n) => (
              <Line
                key={n}
                what={note === 'monthly' ? 'Monthly credits' : givenOrTaken[kind]}
                detail={formatTime(at)}
              >
                {`${amount > 0 ? '+' : '−'}${formatCount(Math.abs(amount), 'credit')}`}
                {note !== null && note !== 'monthly' && <span className="block wrap-anywhere">{note}</span>}
              </Line>
            ))}
            {planChanges.map(({ plan, source, at }) => (
              <Line key={at} what={`Plan changed to ${plan}`} detail={formatTime(at)}>
                by {changedBy[source]}
              </Line>
            ))}
          </List>
        )}
      </section>
      <section>
        <h2 className="mb-4 text-2xl">Days</h2>
        <p className="mb-4 text-quiet">
          Old jobs are deleted. Those that cost credits are still counted; those that cost none are not.
        </p>
        {days.length === 0 ? (
          <p className="text-quiet">Nothing was made in this month.</p>
        ) : (
          <List>
            {days.map(({ day, tool, jobs, succeeded, credits: spent }) => (
              <Line
                key={`${day} ${tool}`}
                what={tool === null ? 'Deleted jobs' : nameOf(tool)}
                detail={formatUtcDay(day)}
              >
                {formatCount(jobs, 'job')}
                {succeeded < jobs && `, ${succeeded} succeeded`}, {formatCount(spent, 'credit')}
              </Line>
            ))}
          </List>
        )}
      </section>
      {keys.some(({ key }) => key !== null) && (
        <section>
          <h2 className="mb-4 text-2xl">API keys</h2>
          <List>
            {keys.map(({ key, jobs, credits: spent }, n) => (
              <Line key={n} what={key === null ? 'Without a key' : <bdi>{key}</bdi>}>
                {formatCount(jobs, 'job')}, {formatCount(spent, 'credit')}
              </Line>
            ))}
          </List>
        </section>
      )}
      <section>
        <h2 className="mb-4 text-2xl">Storage now</h2>
        {storage.length === 0 ? (
          <p className="text-quiet">Nothing is stored.</p>
        ) : (
          <List>
            {storage.map(({ kind, files, bytes }) => (
              <Line key={kind} what={kinds[kind] ?? kind}>
                {formatCount(files, 'item')}, {formatBytes(bytes)}
              </Line>
            ))}
          </List>
        )}
      </section>
    </div>
  );
}

const List = ({ label, children }: { label?: string; children: ReactNode }) => (
  <ul aria-label={label} className="mt-4 border-t border-line">
    {children}
  </ul>
);

const Line = ({ what, detail, children }: { what: ReactNode; detail?: string; children: ReactNode }) => (
  <li className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b border-line py-3">
    <span className="min-w-0 wrap-anywhere">
      {what} {detail && <span className="text-sm text-quiet">{detail}</span>}
    </span>
    <span className="min-w-0 text-sm text-quiet">{children}</span>
  </li>
);

const givenOrTaken = { grant: 'Given by an operator', adjustment: 'Taken by an operator' };
const changedBy = { stripe: 'payment', user: 'you', operator: 'an operator' };

const kinds: Record<string, string> = {
  text: 'Texts and prompts',
  'text-version': 'Earlier versions of texts',
  input: 'Inputs of jobs',
  image: 'Pictures',
  thumbnail: 'Previews of pictures',
  original: 'Originals of pictures',
  upload: 'Uploads of jobs',
  document: 'Documents',
  picture: 'Profile picture',
  version: 'Earlier versions of pictures',
};

const nameOf = (tool: string | null) =>
  tool === null ? 'A deleted job' : (findSummary(tool)?.label ?? tool);

function Receipts({ month }: { month: string }) {
  const http = useHttp();
  const pages = useInfiniteQuery({
    queryKey: queryKeys.receipts(month),
    queryFn: ({ signal, pageParam }) =>
      call(http, accountRoutes.listReceipts, { query: { month, cursor: pageParam ?? undefined }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  return (
    <PagedList
      pages={pages}
      queryKey={queryKeys.receipts(month)}
      what="your receipts"
      empty={<p className="text-quiet">Nothing was made in this month.</p>}
      rows={(pages.data?.pages ?? [])
        .flatMap(({ receipts }) => receipts)
        .map((receipt) => (
          <ReceiptRow key={receipt.jobId} receipt={receipt} />
        ))}
    />
  );
}

const statuses: Record<string, string> = { 'not-started': 'not started', 'left-out': 'left out' };

const ReceiptRow = ({ receipt }: { receipt: Receipt }) => {
  const { tool, title, status, attempts, quoted, charged, refunded, included, reason, key, at } = receipt;
  return (
    <li className="border-b border-line py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="min-w-0 wrap-anywhere">
          <span className="font-semibold">{nameOf(tool)}</span>{' '}
          {title && <bdi className="text-sm text-quiet">{title}</bdi>}
        </p>
        <p className="font-mono">{formatCount(charged - refunded, 'credit')}</p>
      </div>
      <p className="mt-1 text-sm wrap-anywhere text-quiet">
        {formatTime(at)}, price {formatCount(quoted, 'credit')},{' '}
        {included ? 'included in Premium' : `${charged} charged, ${refunded} given back`}
        {status && `, ${statuses[status] ?? status}`}
        {attempts !== null && attempts > 1 && ` after ${formatCount(attempts, 'attempt')}`}
        {key !== null && `, by the key “${key}”`}
      </p>
      {reason && <p className="mt-1 text-sm wrap-anywhere">{reason}</p>}
    </li>
  );
};
