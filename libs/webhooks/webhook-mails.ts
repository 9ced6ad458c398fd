import type { WebhookEntity } from '#libs/database/entities/webhooks.js';
import { composeMail } from '#libs/mail/compose-mail.js';
import type { Mail } from '#libs/mail/mailer.js';

export const webhookOffMail = (
  to: string,
  name: string,
  { url, offReason }: Pick<WebhookEntity, 'url' | 'offReason'>,
  publicUrl: string,
): Mail =>
  composeMail(to, 'A webhook was switched off', name, [
    offReason === 'gone'
      ? `Your webhook ${url} answered that it is gone (410), so it was switched off.`
      : `No event has reached your webhook ${url} for three days, so it was switched off.`,
    'Its events wait for 30 days. When the receiver works again, switch the webhook on:',
    { label: 'Open the webhooks', link: `${publicUrl}/ai/webhooks` },
  ]);
