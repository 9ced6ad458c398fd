import { useState } from 'react';
import clsx from 'clsx';
import { ChevronRight } from 'lucide-react';
import type { WebhookDelivery, WebhookDeliveryDetails } from '#libs/contract/webhooks.js';
import { formatCount, formatTime } from '../../../shared/lib/format';
import { Button } from '../../../shared/ui/button';
import { Notice } from '../../../shared/ui/notice';
import { Loading } from '../../../shared/ui/spinner';
import { useDelivery, useResend } from './webhooks';

const statusLabels: Record<WebhookDelivery['status'], string> = {
  pending: 'Waiting',
  succeeded: 'Arrived',
  failed: 'Failed',
  paused: 'Waiting until the webhook is on',
};

interface DeliveryRowProps {
  webhookId: string;
  delivery: WebhookDelivery;
  canResend: boolean;
}

/** An event that was sent, with its requests and answers when opened. */
export function DeliveryRow({ webhookId, delivery, canResend }: DeliveryRowProps) {
  const [isOpen, setOpen] = useState(false);
  const resend = useResend(webhookId);
  const { id, type, status, attempts, createdAt } = delivery;
  return (
    <li className="border-b border-line py-3">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={`delivery-${id}`}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-11 min-w-0 flex-[1_1_16rem] items-start gap-2 text-left"
        >
          <ChevronRight
            aria-hidden="true"
            className={clsx('mt-0.5 size-4 shrink-0 text-quiet', isOpen && 'rotate-90')}
          />
          <span className="min-w-0">
            <span className="block font-mono text-sm wrap-anywhere">{type}</span>
            <span className="block text-sm text-quiet">
              {formatTime(createdAt)}, {formatCount(attempts, 'request')}
            </span>
            <span className={clsx('block text-sm', colorOf(delivery))}>{describe(delivery)}</span>
          </span>
        </button>
        {status !== 'paused' && (
          <Button
            size="small"
            busy={resend.isPending}
            disabled={!canResend}
            aria-label={`Send again the event of ${formatTime(createdAt)}`}
            onClick={() => resend.mutate(id)}
          >
            Send again
          </Button>
        )}
      </div>
      {resend.error && (
        <div className="mt-2">
          <Notice tone="danger">{resend.error.message}</Notice>
        </div>
      )}
      {isOpen && (
        <div id={`delivery-${id}`} className="mt-2 pl-6">
          <DeliveryDetails webhookId={webhookId} delivery={delivery} />
        </div>
      )}
    </li>
  );
}

const colorOf = ({ status, lastAttempt }: WebhookDelivery) =>
  status === 'failed' || (status === 'pending' && lastAttempt?.error) ? 'text-danger' : 'text-quiet';

function describe({ status, lastAttempt, nextAttemptAt }: WebhookDelivery): string {
  const parts = [statusLabels[status], status === 'succeeded' ? null : lastAttempt?.error];
  if (nextAttemptAt !== null && lastAttempt?.error) parts.push(`Next request ${formatTime(nextAttemptAt)}.`);
  const [state, ...details] = parts.filter((part): part is string => Boolean(part));
  return details.length === 0 ? state! : `${state}: ${details.join(' ')}`;
}

function DeliveryDetails({ webhookId, delivery }: Pick<DeliveryRowProps, 'webhookId' | 'delivery'>) {
  const { data, failureReason, refetch } = useDelivery(webhookId, delivery.id, delivery.attempts);
  if (data === undefined) {
    if (failureReason === null) return <Loading label="Loading the requests of this event" />;
    return (
      <Notice tone="danger" title="The requests could not be loaded" onRetry={refetch}>
        {failureReason.message}
      </Notice>
    );
  }
  return (
    <>
      <h3 className="font-sans text-sm font-semibold">Body</h3>
      <Code>{formatBody(data.payload)}</Code>
      {data.log.map((attempt) => (
        <Attempt key={attempt.n} attempt={attempt} />
      ))}
    </>
  );
}

function Attempt({ attempt }: { attempt: WebhookDeliveryDetails['log'][number] }) {
  const { n, sentAt, milliseconds, status, error, response } = attempt;
  return (
    <div className="mt-4">
      <h3 className="font-sans text-sm font-semibold">
        Request {n}, {formatTime(sentAt)}
      </h3>
      <p className="text-sm text-quiet">
        {status === null ? 'No answer' : `Answer ${status}`} after {milliseconds} ms
        {error !== null && `: ${error}`}
      </p>
      {response !== '' && <Code>{response}</Code>}
    </div>
  );
}

const Code = ({ children }: { children: string }) => (
  <pre
    dir="auto"
    className="mt-1 max-h-60 overflow-auto rounded-control border border-line bg-sunken p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
  >
    {children}
  </pre>
);

const formatBody = (body: string) => JSON.stringify(JSON.parse(body), null, 2);
