import { useState } from 'react';
import toast from 'react-hot-toast';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { WEBHOOK_LOG_DAYS, WEBHOOK_ROTATION_HOURS, type Webhook } from '#libs/contract/webhooks.js';
import { formatTime } from '../../../shared/lib/format';
import { queryKeys } from '../../../shared/http/query-keys';
import { paths } from '../../../shared/paths';
import { Button, buttonClass } from '../../../shared/ui/button';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { CopyButton } from '../../../shared/ui/copy-button';
import { Dialog } from '../../../shared/ui/dialog';
import { NotFoundPanel } from '../../../shared/ui/not-found-panel';
import { Notice } from '../../../shared/ui/notice';
import { PageHeading } from '../../../shared/ui/page-heading';
import { PagedList } from '../../../shared/ui/paged-list';
import { Loading } from '../../../shared/ui/spinner';
import { Switch } from '../../../shared/ui/switch';
import { SecretDialog } from '../secret-dialog';
import { DeliveryRow } from './delivery-row';
import { describeState } from './event-labels';
import { WebhookForm } from './webhook-form';
import {
  useChangeWebhook,
  useDeleteWebhook,
  useDeliveries,
  useRotateSecret,
  useSendTest,
  useWebhooks,
} from './webhooks';

export default function WebhookPage() {
  const id = useParams()['id'] ?? '';
  const { data: webhooks, failureReason, refetch } = useWebhooks();
  if (webhooks === undefined) {
    if (failureReason === null) return <Loading label="Loading the webhook" />;
    return (
      <Notice tone="danger" title="The webhook could not be loaded" onRetry={refetch}>
        {failureReason.message}
      </Notice>
    );
  }
  const webhook = webhooks.find((candidate) => candidate.id === id);
  return webhook ? <WebhookDetails key={id} webhook={webhook} /> : <NotFoundPanel />;
}

type OpenDialog = 'change' | 'rotate' | 'delete' | null;

function WebhookDetails({ webhook }: { webhook: Webhook }) {
  const { id, url, events, isOn, rotatedUntil, publicKey } = webhook;
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const change = useChangeWebhook(id);
  const sendTest = useSendTest(id);
  const close = () => setDialog(null);
  return (
    <>
      <PageHeading
        lead={url}
        actions={
          <Link to={paths.webhooks} className={buttonClass('quiet')}>
            All webhooks
          </Link>
        }
      >
        Webhook
      </PageHeading>
      <div className="grid max-w-2xl gap-5">
        <Switch
          label="Send events"
          hint={describeState(webhook)}
          checked={isOn}
          onChange={(checked) => change.mutate({ isOn: checked })}
        />
        <p className="font-mono text-xs text-quiet wrap-anywhere">{events.join(', ')}</p>
        <div>
          <h2 className="font-sans text-sm font-semibold">Public key</h2>
          <p className="mt-1 font-mono text-xs text-quiet wrap-anywhere">{publicKey}</p>
          <div className="mt-2">
            <CopyButton
              text={publicKey}
              copied="Public key copied"
              failed="The public key could not be copied. Select it."
            />
          </div>
        </div>
        {rotatedUntil !== null && (
          <Notice tone="note">
            Requests are also signed with the secret before the last change until {formatTime(rotatedUntil)}.
          </Notice>
        )}
        {(change.error ?? sendTest.error) && (
          <Notice tone="danger">{(change.error ?? sendTest.error)!.message}</Notice>
        )}
        <div className="flex flex-wrap gap-2">
          <Button
            size="small"
            busy={sendTest.isPending}
            disabled={!isOn}
            onClick={() => sendTest.mutate(undefined, { onSuccess: () => toast.success('Test event sent') })}
          >
            Send a test event
          </Button>
          <Button size="small" onClick={() => setDialog('change')}>
            Change
          </Button>
          <Button size="small" onClick={() => setDialog('rotate')}>
            New secret
          </Button>
          <Button size="small" variant="danger" onClick={() => setDialog('delete')}>
            Delete
          </Button>
        </div>
      </div>
      <DeliveryLog webhook={webhook} />
      {dialog === 'change' && <ChangeDialog webhook={webhook} onClose={close} />}
      {dialog === 'rotate' && <RotateDialog id={id} onClose={close} />}
      {dialog === 'delete' && <DeleteDialog webhook={webhook} onClose={close} />}
    </>
  );
}

function DeliveryLog({ webhook: { id, isOn } }: { webhook: Webhook }) {
  const pages = useDeliveries(id);
  const deliveries = pages.data?.pages.flatMap((page) => page.deliveries) ?? [];
  return (
    <section aria-labelledby="webhook-log" className="mt-10">
      <h2 id="webhook-log" className="mb-4 text-2xl">
        Requests
      </h2>
      <PagedList
        pages={pages}
        queryKey={queryKeys.webhookDeliveries(id)}
        what="the requests"
        rows={deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} webhookId={id} delivery={delivery} canResend={isOn} />
        ))}
        empty={
          <p className="max-w-xl text-quiet">
            Nothing sent in the last {WEBHOOK_LOG_DAYS} days. Send a test event to try the receiver.
          </p>
        }
      />
    </section>
  );
}

function ChangeDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const change = useChangeWebhook(webhook.id);
  return (
    <Dialog label="Change the webhook" wide onClose={onClose}>
      <WebhookForm
        title="Change the webhook"
        submitLabel="Save"
        initial={webhook}
        busy={change.isPending}
        error={change.error}
        onSubmit={(settings) => change.mutate(settings, { onSuccess: onClose })}
        onClose={onClose}
      />
    </Dialog>
  );
}

function RotateDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const rotate = useRotateSecret(id);
  if (rotate.data !== undefined)
    return (
      <SecretDialog title="The new secret" noun="Secret" secret={rotate.data.secret} onClose={onClose}>
        Requests have signatures of both secrets for {WEBHOOK_ROTATION_HOURS} hours. Give the new one to your
        program in this time.
      </SecretDialog>
    );
  return (
    <ConfirmDialog
      title="Make a new secret?"
      confirmLabel="Make a new secret"
      variant="primary"
      busy={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate()}
      onClose={onClose}
    >
      The secret and the public key are replaced. The old ones remain valid for {WEBHOOK_ROTATION_HOURS}{' '}
      hours.
    </ConfirmDialog>
  );
}

function DeleteDialog({ webhook: { id, url }, onClose }: { webhook: Webhook; onClose: () => void }) {
  const remove = useDeleteWebhook(id);
  const navigate = useNavigate();
  const onSuccess = () => {
    toast.success('Webhook deleted');
    void navigate(paths.webhooks);
  };
  return (
    <ConfirmDialog
      title="Delete the webhook?"
      confirmLabel="Delete"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess })}
      onClose={onClose}
    >
      {url} gets nothing more, not even what is waiting. Its log is deleted too. This cannot be undone.
    </ConfirmDialog>
  );
}
