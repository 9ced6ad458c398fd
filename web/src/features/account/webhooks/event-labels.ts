import type { Webhook, WebhookEventType } from '#libs/contract/webhooks.js';
import { formatTime } from '../../../shared/lib/format';

/** What each event tells, in the order of the form. */
export const eventLabels = {
  'job.succeeded': 'A job has succeeded',
  'job.failed': 'A job has failed',
  'batch.finished': 'A batch has finished',
  'flow.finished': 'A run of several tools has finished',
} satisfies Record<WebhookEventType, string>;

export const eventsInOrder = Object.keys(eventLabels) as WebhookEventType[];

/** A sentence on whether events arrive. */
export function describeState({ offReason, failingSince, lastSuccessAt }: Webhook): string {
  switch (offReason) {
    case 'owner':
      return 'Off';
    case 'gone':
      return 'Off: the receiver answered that it is gone (410)';
    case 'failing':
      return 'Off: no event arrived for three days';
    case null:
      if (failingSince !== null) return `Failing since ${formatTime(failingSince)}`;
      return lastSuccessAt === null
        ? 'On, nothing sent yet'
        : `On, last arrived ${formatTime(lastSuccessAt)}`;
  }
}
