import { useState } from 'react';
import toast from 'react-hot-toast';
import { Link } from 'react-router-dom';
import type { ApiKey } from '#libs/contract/api-keys.js';
import { paths } from '../../../shared/paths';
import { Button, buttonClass } from '../../../shared/ui/button';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { Notice } from '../../../shared/ui/notice';
import { PageHeading } from '../../../shared/ui/page-heading';
import { Loading } from '../../../shared/ui/spinner';
import { formatDate } from '../../../shared/lib/format';
import { useApiKeys, useRevokeApiKey } from './api-keys';
import { ClerkApps } from './clerk-apps';
import { ChangeKeyDialog } from './change-key-dialog';
import { NewKeyDialog } from './new-key-dialog';

export default function ApiKeysPage() {
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <PageHeading
        lead="A key lets a program or an assistant run your tools, with limits of its own."
        actions={
          <div className="flex flex-wrap gap-3">
            <Link to={paths.webhooks} className={buttonClass('quiet')}>
              Webhooks
            </Link>
            <a href="/api/docs" className={buttonClass('quiet')}>
              API reference
            </a>
            <Button variant="primary" onClick={() => setCreating(true)}>
              New key
            </Button>
          </div>
        }
      >
        API keys
      </PageHeading>
      <KeyList />
      <ClerkApps />
      {isCreating && <NewKeyDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function KeyList() {
  const { data: keys, failureReason, refetch } = useApiKeys();
  const [changed, setChanged] = useState<ApiKey | null>(null);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  if (keys === undefined) {
    if (failureReason === null) return <Loading label="Loading your API keys" />;
    return (
      <Notice tone="danger" title="Your API keys could not be loaded" onRetry={refetch}>
        {failureReason.message}
      </Notice>
    );
  }
  if (keys.length === 0) {
    return (
      <p className="max-w-xl text-quiet">
        No keys yet. Create one to remove the backgrounds of a shop’s photos each night, or to use the tools
        from an assistant.
      </p>
    );
  }
  return (
    <>
      <ul className="border-t border-line">
        {keys.map((key) => (
          <KeyRow
            key={key.id}
            apiKey={key}
            onChange={() => setChanged(key)}
            onRevoke={() => setRevoked(key)}
          />
        ))}
      </ul>
      {changed && <ChangeKeyDialog apiKey={changed} onClose={() => setChanged(null)} />}
      {revoked && <RevokeDialog apiKey={revoked} onClose={() => setRevoked(null)} />}
    </>
  );
}

interface KeyRowProps {
  apiKey: ApiKey;
  onChange: () => void;
  onRevoke: () => void;
}

function KeyRow({ apiKey, onChange, onRevoke }: KeyRowProps) {
  const { id, clientId, name, scopes, usage, monthlyJobs, monthlyCredits, expiresAt, lastUsedAt } = apiKey;
  const { noun, end } = wordsFor(apiKey);
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  const used = (count: number, cap: number | null) =>
    `${count.toLocaleString('en')}${cap === null ? '' : ` of ${cap.toLocaleString('en')}`}`;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-b border-line py-4">
      <div className="min-w-0 flex-[1_1_18rem]">
        <h2 dir="auto" className="font-sans text-base font-semibold wrap-anywhere">
          {name}
        </h2>
        <p className="mt-1 font-mono text-xs text-quiet wrap-anywhere">
          {clientId === null ? `prk_${id}_…` : 'Connected app'} · {scopes.join(', ')}
        </p>
        <p className="mt-1 text-sm text-quiet">
          This month: {used(usage.jobs, monthlyJobs)}{' '}
          {usage.jobs === 1 && monthlyJobs === null ? 'job' : 'jobs'}, {used(usage.credits, monthlyCredits)}{' '}
          {usage.credits === 1 && monthlyCredits === null ? 'credit' : 'credits'}
        </p>
        <p className="mt-1 text-sm text-quiet">
          {lastUsedAt === null ? 'Never used' : `Last used on ${formatDate(lastUsedAt)}`}
          {expiresAt !== null && (
            <span className={isExpired ? 'text-danger' : ''}>
              {isExpired ? ', expired on ' : ', expires on '}
              {formatDate(expiresAt)}
            </span>
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="small" aria-label={`Change the ${noun} “${name}”`} onClick={onChange}>
          Change
        </Button>
        <Button size="small" variant="danger" aria-label={`${end} the ${noun} “${name}”`} onClick={onRevoke}>
          {end}
        </Button>
      </div>
    </li>
  );
}

const wordsFor = ({ clientId }: ApiKey) =>
  clientId === null
    ? { noun: 'key', end: 'Revoke', ended: 'Key revoked' }
    : { noun: 'app', end: 'Disconnect', ended: 'App disconnected' };

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { id, clientId, name } = apiKey;
  const { noun, end, ended } = wordsFor(apiKey);
  const revoke = useRevokeApiKey();
  const onSuccess = () => {
    toast.success(ended);
    onClose();
  };
  return (
    <ConfirmDialog
      title={`${end} the ${noun}?`}
      confirmLabel={end}
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate(id, { onSuccess })}
      onClose={onClose}
    >
      {clientId === null
        ? `Programs with the key “${name}” are refused from now on. This cannot be undone.`
        : `“${name}” is refused from now on, until you connect it again.`}{' '}
      Jobs that it started continue.
    </ConfirmDialog>
  );
}
