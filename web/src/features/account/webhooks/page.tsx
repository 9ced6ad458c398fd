import { useState } from 'react';
import clsx from 'clsx';
import { Link } from 'react-router-dom';
import type { Webhook } from '#libs/contract/webhooks.js';
import { paths } from '../../../shared/paths';
import { Button, buttonClass } from '../../../shared/ui/button';
import { Dialog } from '../../../shared/ui/dialog';
import { Notice } from '../../../shared/ui/notice';
import { PageHeading } from '../../../shared/ui/page-heading';
import { Loading } from '../../../shared/ui/spinner';
import { SecretDialog } from '../secret-dialog';
import { describeState } from './event-labels';
import { WebhookForm } from './webhook-form';
import { useCreateWebhook, useWebhooks } from './webhooks';

export default function WebhooksPage() {
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <PageHeading
        lead="A webhook tells your program when a job, a batch or a run has ended."
        actions={
          <div className="flex flex-wrap gap-3">
            <Link to={paths.apiKeys} className={buttonClass('quiet')}>
              API keys
            </Link>
            <Button variant="primary" onClick={() => setCreating(true)}>
              New webhook
            </Button>
          </div>
        }
      >
        Webhooks
      </PageHeading>
      <WebhookList />
      {isCreating && <NewWebhookDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function WebhookList() {
  const { data: webhooks, failureReason, refetch } = useWebhooks();
  if (webhooks === undefined) {
    if (failureReason === null) return <Loading label="Loading your webhooks" />;
    return (
      <Notice tone="danger" title="Your webhooks could not be loaded" onRetry={refetch}>
        {failureReason.message}
      </Notice>
    );
  }
  if (webhooks.length === 0) {
    return (
      <p className="max-w-xl text-quiet">
        No webhooks yet. Create one to fetch the ZIP of a batch as soon as its pictures are done.
      </p>
    );
  }
  return (
    <ul className="border-t border-line">
      {webhooks.map((webhook) => (
        <WebhookRow key={webhook.id} webhook={webhook} />
      ))}
    </ul>
  );
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { id, url, events, isOn, failingSince } = webhook;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-b border-line py-4">
      <div className="min-w-0 flex-[1_1_18rem]">
        <h2 className="font-sans text-base font-semibold wrap-anywhere">{url}</h2>
        <p className="mt-1 font-mono text-xs text-quiet wrap-anywhere">{events.join(', ')}</p>
        <p className={clsx('mt-1 text-sm', isOn && failingSince === null ? 'text-quiet' : 'text-danger')}>
          {describeState(webhook)}
        </p>
      </div>
      <Link
        to={paths.webhook(id)}
        aria-label={`Open the webhook ${url}`}
        className={buttonClass('plain', 'small')}
      >
        Open
      </Link>
    </li>
  );
}

function NewWebhookDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateWebhook();
  if (create.data !== undefined)
    return (
      <SecretDialog
        title="The secret of your webhook"
        noun="Secret"
        secret={create.data.secret}
        onClose={onClose}
      >
        Verify each request with it: a library of Standard Webhooks does so in one call.
      </SecretDialog>
    );
  return (
    <Dialog label="New webhook" wide guarded={create.isPending} onClose={onClose}>
      <WebhookForm
        title="New webhook"
        submitLabel="Create the webhook"
        initial={{ url: '', events: ['batch.finished'] }}
        busy={create.isPending}
        error={create.error}
        onSubmit={(settings) => create.mutate(settings)}
        onClose={onClose}
      />
    </Dialog>
  );
}
