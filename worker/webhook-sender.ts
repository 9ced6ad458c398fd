import { DataSource } from 'typeorm';
import { provideClass, value, valueFrom } from '#libs/config/provide-class.js';
import { ConfiguredMailer } from '#libs/mail/configured-mailer.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { createPublicFetch } from '#libs/outbound/public-fetch.js';
import { WebhookEvents } from '#libs/webhooks/webhook-events.js';
import { WebhookSender } from '#libs/webhooks/webhook-sender.js';

/** Turns events into requests to webhooks. */
export const webhookProviders = [
  ConfiguredMailer.provider,
  provideClass(WebhookEvents, [DataSource]),
  provideClass(WebhookSender, {
    dataSource: DataSource,
    publicFetch: value(({ outbound: { proxyUrl, webhookNetworks } }) =>
      createPublicFetch({ proxyUrl, allowedNetworks: webhookNetworks }),
    ),
    mailer: valueFrom(ConfiguredMailer, ({ mailer }) => mailer),
    publicUrl: value(({ publicUrl }) => publicUrl),
    onError: value(() => logErrors('Webhooks')),
  }),
];
