import { useState } from 'react';
import { useParams } from 'react-router-dom';
import type { AdminUserDetails, DeletionReceipt } from '#libs/contract/admin.js';
import { formatBytes } from '../../../shared/lib/check-file';
import { formatCount, formatExact } from '../../../shared/lib/format';
import { Notice } from '../../../shared/ui/notice';
import { PageHeading } from '../../../shared/ui/page-heading';
import { useUserDetails } from '../admin-api';
import { AuditList } from '../audit-list';
import { Facts, Section } from '../facts';
import { QueryPanel } from '../query-panel';
import { Receipt } from './delete-user';
import { UserActions } from './user-actions';
import { UserKeys } from './user-keys';

export default function AdminUserPage() {
  const { id = '' } = useParams();
  const details = useUserDetails(id);
  const [receipt, setReceipt] = useState<DeletionReceipt | null>(null);
  if (receipt) return <Receipt receipt={receipt} />;
  return (
    <QueryPanel query={details} what="the user">
      {(user) => <Details user={user} onDeleted={setReceipt} />}
    </QueryPanel>
  );
}

interface DetailsProps {
  user: AdminUserDetails;
  onDeleted: (receipt: DeletionReceipt) => void;
}

function Details({ user, onDeleted }: DetailsProps) {
  const { profile, suspendedAt, sessions } = user;
  return (
    <>
      <PageHeading lead={profile.email ?? undefined}>{profile.fullName}</PageHeading>
      {suspendedAt && (
        <div className="mb-8">
          <Notice tone="warning" title={`Suspended since ${formatExact(suspendedAt)}`}>
            {user.suspendedReason ?? 'No reason was given.'}
          </Notice>
        </div>
      )}
      <Section title="Account" actions={<UserActions user={user} onDeleted={onDeleted} />}>
        <Facts facts={factsOf(user)} />
      </Section>
      {user.subscription && (
        <Section title="Subscription">
          <Facts facts={factsOfSubscription(user.subscription)} />
        </Section>
      )}
      <Section title="Plan changes">
        {user.planChanges.length === 0 ? (
          <p className="text-quiet">None.</p>
        ) : (
          <ul className="border-t border-line">
            {user.planChanges.map(({ plan: chosen, source, note, at }) => (
              <li key={at} className="border-b border-line py-3 wrap-anywhere">
                {formatExact(at)}, to {chosen}, by {planSources[source]}
                {note && <p className="text-sm text-quiet">{note}</p>}
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="Sessions">
        {sessions.length === 0 ? (
          <p className="text-quiet">None.</p>
        ) : (
          <ul className="border-t border-line">
            {sessions.map(({ id, createdAt, userAgent, method }) => (
              <li key={id} className="border-b border-line py-3 wrap-anywhere">
                {formatExact(createdAt)}
                {method && `, ${method}`}
                <p className="text-sm text-quiet">{userAgent}</p>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="API keys">
        <UserKeys user={user} />
      </Section>
      <Section title="Audit log">
        <AuditList entries={user.audit} />
      </Section>
    </>
  );
}

const factsOf = (user: AdminUserDetails) => ({
  Id: <span className="font-mono text-sm">{user.profile.id}</span>,
  Plan: user.plan,
  Role: user.role === 'admin' ? 'operator' : 'user',
  Credits:
    user.credits.remaining === null
      ? 'unlimited'
      : `${user.credits.remaining} of ${user.credits.allowance} left`,
  Storage: `${formatBytes(user.storage.used)} of ${formatBytes(user.storage.limit)}`,
  'Temporary limits':
    user.limits &&
    [
      user.limits.unfinishedJobs !== null && formatCount(user.limits.unfinishedJobs, 'unfinished job'),
      user.limits.storageBytes !== null && `${formatBytes(user.limits.storageBytes)} of storage`,
      `until ${formatExact(user.limits.until)}`,
    ]
      .filter(Boolean)
      .join(', '),
  Creations: `${user.creations}, ${user.published} published`,
  Jobs: Object.entries(user.jobs)
    .map(([status, count]) => `${count} ${status}`)
    .join(', '),
  Since: formatExact(user.createdAt),
});

const planSources = { stripe: 'Stripe', user: 'the user', operator: 'an operator' };

const factsOfSubscription = ({
  status,
  trialEndsAt,
  periodEndsAt,
  cancelsAt,
  graceUntil,
}: NonNullable<AdminUserDetails['subscription']>) => ({
  Status: status === 'past_due' ? 'past due: a payment failed' : status,
  'Trial until': trialEndsAt && formatExact(trialEndsAt),
  'Next payment': cancelsAt === null ? formatExact(periodEndsAt) : null,
  'Cancelled for': cancelsAt && formatExact(cancelsAt),
  'Premium until, if not paid': graceUntil && formatExact(graceUntil),
});
