import { createHash } from 'node:crypto';
import escapeHtml from 'escape-html';
import type { Config } from '#libs/config/environment.js';
import type { AlertEntity } from '#libs/database/entities/alerts.js';
import type { Mail, Mailer } from '#libs/mail/mailer.js';
import { alertRules, type AlertName } from './alert-rules.js';

export type AlertsConfig = NonNullable<Config['alerts']>;
export type ReceiverName = 'mail' | 'webhook';

export type Notification = Pick<
  AlertEntity,
  'key' | 'name' | 'labels' | 'summary' | 'startsAt' | 'endsAt'
> & {
  status: 'firing' | 'resolved';
};

export interface AlertReceiver {
  name: ReceiverName;
  /** @throws Error if it did not take them; the message contains no address */
  send(notifications: Notification[]): Promise<void>;
}

/** Some receivers start with the first request. One that is ended too early is sent again, even if the receiver took the alerts. */
const WEBHOOK_TIMEOUT_MS = 30_000;
/** Maximum number of alerts in one message. */
const MAX_ALERTS = 50;
/** How Alertmanager writes that an alert has no end. */
const NO_END = '0001-01-01T00:00:00Z';

export function createReceivers(
  { mail, webhookUrl }: AlertsConfig,
  mailer: Pick<Mailer, 'deliver'> | null,
  publicUrl: string,
): AlertReceiver[] {
  const receivers: AlertReceiver[] = [];
  if (mailer && mail.length > 0)
    receivers.push({
      name: 'mail',
      async send(notifications) {
        const delivery = await mailer.deliver('alert', composeAlertMail(mail, notifications, publicUrl));
        if (delivery !== 'sent') throw new Error('The mail server did not take the mail.');
      },
    });
  if (webhookUrl)
    receivers.push({ name: 'webhook', send: (all) => postAlerts(webhookUrl, webhookBody(all, publicUrl)) });
  return receivers;
}

export function composeAlertMail(to: string[], notifications: Notification[], publicUrl: string): Mail {
  const firing = notifications.filter(({ status }) => status === 'firing');
  const names = [...new Set((firing.length > 0 ? firing : notifications).map(({ name }) => name))];
  const lines = notifications.slice(0, MAX_ALERTS).map(({ name, status, summary, startsAt, endsAt }) => {
    const end = endsAt ? `, until ${endsAt.toISOString()}` : '';
    return `${status.toUpperCase()} ${name}: ${summary}\nSince ${startsAt.toISOString()}${end}.`;
  });
  if (notifications.length > MAX_ALERTS) lines.push(`${notifications.length - MAX_ALERTS} more.`);
  const text = [publicUrl, ...lines, 'What to do first: docs/operations.md, “Alerts”.'].join('\n\n');
  return {
    to: to.join(', '),
    subject: `[${firing.length > 0 ? 'FIRING' : 'RESOLVED'}] ${names.join(', ')} – Pressroom`,
    text,
    html: `<!doctype html><html lang="en"><body><pre>${escapeHtml(text)}</pre></body></html>`,
  };
}

/** The body of Alertmanager's webhooks, version 4. */
export function webhookBody(notifications: Notification[], publicUrl: string) {
  return {
    version: '4',
    groupKey: '{}:{}',
    truncatedAlerts: Math.max(0, notifications.length - MAX_ALERTS),
    status: notifications.some(({ status }) => status === 'firing') ? 'firing' : 'resolved',
    receiver: 'pressroom',
    groupLabels: {},
    commonLabels: {},
    commonAnnotations: {},
    externalURL: publicUrl,
    alerts: notifications
      .slice(0, MAX_ALERTS)
      .map(({ key, name, status, labels, summary, startsAt, endsAt }) => ({
        status,
        labels: { alertname: name, severity: severityOf(name), ...labels },
        annotations: { summary },
        startsAt: startsAt.toISOString(),
        endsAt: endsAt?.toISOString() ?? NO_END,
        generatorURL: publicUrl,
        fingerprint: createHash('sha256').update(key).digest('hex').slice(0, 16),
      })),
  };
}

const severityOf = (name: string) => (name in alertRules ? alertRules[name as AlertName].severity : 'ticket');

/** The address is the operator's, so it may be inside the network, unlike the webhooks of users. */
async function postAlerts(url: string, body: object): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Pressroom-Alerts/1' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
    redirect: 'error',
  }).catch((error: Error) => {
    const { code } = (error.cause ?? {}) as { code?: string };
    throw new Error(`The webhook of alerts was not reached: ${code ?? error.name}.`);
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`The webhook of alerts answered ${answer.status}.`);
}
