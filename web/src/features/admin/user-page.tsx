import { useState } from 'react';
import toast from 'react-hot-toast';
import { Link, useParams } from 'react-router-dom';
import type { AdminUserDetails, DeletionReceipt } from '#libs/contract/admin.js';
import { formatBytes } from '../../shared/lib/check-file';
import { formatCount, formatExact } from '../../shared/lib/format';
import { saveFile } from '../../shared/lib/save-file';
import { paths } from '../../shared/paths';
import { Button, buttonClass } from '../../shared/ui/button';
import { Notice } from '../../shared/ui/notice';
import { PageHeading } from '../../shared/ui/page-heading';
import { TextField } from '../../shared/ui/text-field';
import { useActOnUser, useDeleteUser, useUserDetails, type UserAct } from './admin-api';
import { AuditList } from './audit-list';
import { Facts, Section } from './facts';
import { LimitsDialog } from './limits-dialog';
import { QueryPanel } from './query-panel';
import { ReasonDialog } from './reason-dialog';

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

interface Asked {
  title: string;
  confirmLabel: string;
  what: string;
  isReasonShown?: boolean;
  act: UserAct | 'credits' | 'delete';
}

function Details({
  user,
  onDeleted,
}: {
  user: AdminUserDetails;
  onDeleted: (receipt: DeletionReceipt) => void;
}) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isLimiting, setLimiting] = useState(false);
  const { profile, plan, suspendedAt, sessions, keys } = user;
  const close = () => setAsked(null);
  const otherPlan = plan === 'free' ? 'premium' : 'free';
  const button = (label: string, next: Asked, variant: 'plain' | 'danger' = 'plain') => (
    <Button size="small" variant={variant} onClick={() => setAsked(next)}>
      {label}
    </Button>
  );
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
      <Section
        title="Account"
        actions={
          <div className="flex flex-wrap gap-2">
            <Link
              className={buttonClass('plain', 'small')}
              to={`${paths.adminJobs}?user=${encodeURIComponent(profile.id)}`}
            >
              Jobs
            </Link>
            {button('Credits', {
              title: 'Give or take credits?',
              confirmLabel: 'Save',
              what: 'Of this month. A negative number takes credits away.',
              isReasonShown: true,
              act: 'credits',
            })}
            <Button size="small" onClick={() => setLimiting(true)}>
              Limits
            </Button>
            {user.limits &&
              button('End temporary limits', {
                title: 'End the temporary limits?',
                confirmLabel: 'End them',
                what: 'Those of server and plan take effect at once.',
                act: { kind: 'limits', limits: null },
              })}
            {button(`Make ${otherPlan}`, {
              title: `Change the plan to ${otherPlan}?`,
              confirmLabel: 'Change the plan',
              what: 'It takes effect at once.',
              act: { kind: 'plan', plan: otherPlan },
            })}
            {button('Sign out', {
              title: 'Sign out everywhere?',
              confirmLabel: 'Sign out',
              what: 'All sessions end at once, on every device, and connected apps are disconnected. API keys stay.',
              act: { kind: 'sign-out' },
            })}
            {suspendedAt
              ? button('End the suspension', {
                  title: 'End the suspension?',
                  confirmLabel: 'End it',
                  what: 'The user may sign in again.',
                  act: { kind: 'unsuspend' },
                })
              : button(
                  'Suspend',
                  {
                    title: 'Suspend the user?',
                    confirmLabel: 'Suspend',
                    what: 'Sessions and keys end, apps are disconnected, waiting jobs are cancelled.',
                    isReasonShown: true,
                    act: { kind: 'suspend' },
                  },
                  'danger',
                )}
            {button(
              'Delete',
              {
                title: 'Delete the user?',
                confirmLabel: 'Delete',
                what: 'All rows and files of the user go. This cannot be undone.',
                act: 'delete',
              },
              'danger',
            )}
          </div>
        }
      >
        <Facts
          facts={{
            Id: <span className="font-mono text-sm">{profile.id}</span>,
            Plan: plan,
            Role: user.role === 'admin' ? 'operator' : 'user',
            Credits:
              user.credits.remaining === null
                ? 'unlimited'
                : `${user.credits.remaining} of ${user.credits.allowance} left`,
            Storage: `${formatBytes(user.storage.used)} of ${formatBytes(user.storage.limit)}`,
            'Temporary limits':
              user.limits &&
              [
                user.limits.unfinishedJobs !== null &&
                  formatCount(user.limits.unfinishedJobs, 'unfinished job'),
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
          }}
        />
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
        {keys.length === 0 ? (
          <p className="text-quiet">None.</p>
        ) : (
          <ul className="border-t border-line">
            {keys.map(({ id, name, scopes, lastUsedAt }) => (
              <li
                key={id}
                className="flex flex-wrap items-center justify-between gap-3 border-b border-line py-3"
              >
                <div className="min-w-0 wrap-anywhere">
                  <bdi>{name}</bdi> <span className="font-mono text-sm text-quiet">{id}</span>
                  <p className="text-sm text-quiet">
                    {scopes.join(', ')}, {lastUsedAt ? `last used ${formatExact(lastUsedAt)}` : 'never used'}
                  </p>
                </div>
                {button(
                  'Revoke',
                  {
                    title: `Revoke the key ${id}?`,
                    confirmLabel: 'Revoke',
                    what: 'Programs with it are refused from now on.',
                    act: { kind: 'revoke', key: id },
                  },
                  'danger',
                )}
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="Audit log">
        <AuditList entries={user.audit} />
      </Section>
      {asked && asked.act === 'delete' && (
        <DeleteDialog user={user} asked={asked} onClose={close} onDeleted={onDeleted} />
      )}
      {isLimiting && <LimitsDialog user={user} onClose={() => setLimiting(false)} />}
      {asked && asked.act !== 'delete' && <ActDialog id={profile.id} asked={asked} onClose={close} />}
    </>
  );
}

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

function ActDialog({ id, asked, onClose }: { id: string; asked: Asked; onClose: () => void }) {
  const act = useActOnUser();
  const [amount, setAmount] = useState('');
  const [wrong, setWrong] = useState<string | undefined>();
  const confirm = (reason: string) => {
    const needsAmount = asked.act === 'credits';
    if (needsAmount && !/^-?[1-9]\d{0,5}$/.test(amount.trim()))
      return setWrong('Give a whole number, such as 10 or -10.');
    const chosen = needsAmount
      ? { kind: 'credits' as const, amount: Number(amount) }
      : (asked.act as UserAct);
    act.mutate(
      { id, reason, act: chosen },
      {
        onSuccess: ({ user }) => {
          toast.success(
            chosen.kind === 'suspend' && user.suspendedReason !== reason
              ? 'The user was suspended before, and the first reason stays.'
              : 'Done',
          );
          onClose();
        },
      },
    );
  };
  return (
    <ReasonDialog
      title={asked.title}
      confirmLabel={asked.confirmLabel}
      isReasonShown={asked.isReasonShown}
      busy={act.isPending}
      error={act.error}
      fields={
        asked.act === 'credits' && (
          <TextField
            label="Credits"
            inputMode="numeric"
            value={amount}
            error={wrong}
            onChange={({ currentTarget }) => {
              setAmount(currentTarget.value);
              setWrong(undefined);
            }}
          />
        )
      }
      onConfirm={confirm}
      onClose={onClose}
    >
      {asked.what}
    </ReasonDialog>
  );
}

interface DeleteDialogProps {
  user: AdminUserDetails;
  asked: Asked;
  onClose: () => void;
  onDeleted: (receipt: DeletionReceipt) => void;
}

function DeleteDialog({ user: { profile }, asked, onClose, onDeleted }: DeleteDialogProps) {
  const remove = useDeleteUser(onDeleted);
  const [confirm, setConfirm] = useState('');
  const { id } = profile;
  return (
    <ReasonDialog
      title={asked.title}
      confirmLabel={asked.confirmLabel}
      variant="danger"
      busy={remove.isPending}
      error={remove.error}
      fields={
        <TextField
          label={`Repeat ${profile.email ?? id}`}
          value={confirm}
          autoComplete="off"
          onChange={({ currentTarget }) => setConfirm(currentTarget.value)}
        />
      }
      onConfirm={(reason) => remove.mutate({ id, reason, confirm })}
      onClose={onClose}
    >
      {asked.what}
    </ReasonDialog>
  );
}

function Receipt({ receipt }: { receipt: DeletionReceipt }) {
  const sum = (rows: Record<string, number>) =>
    String(Object.values(rows).reduce((total, count) => total + count, 0));
  return (
    <>
      <PageHeading
        lead="Keep this receipt: it is shown only once."
        actions={
          <Button
            variant="primary"
            onClick={() =>
              saveFile(
                new Blob([JSON.stringify(receipt, null, 2)], { type: 'application/json' }),
                `deletion-${receipt.id}.json`,
              )
            }
          >
            Save the receipt
          </Button>
        }
      >
        The user is deleted
      </PageHeading>
      <Facts
        facts={{
          Id: receipt.id,
          'Deleted at': formatExact(receipt.deletedAt),
          By: receipt.operator,
          'Rows deleted': sum(receipt.rows),
          'Rows kept without the id': sum(receipt.unlinked),
          'Rows left': sum(receipt.left),
          'Files queued for deletion': `${receipt.files.count}, ${formatBytes(receipt.files.bytes)}`,
          'SHA-256': <span className="font-mono text-sm">{receipt.sha256}</span>,
        }}
      />
    </>
  );
}
