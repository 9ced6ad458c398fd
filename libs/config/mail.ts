import { ConfigurationError } from './configuration-error.js';
import type { Variables } from './variables.js';

export interface MailConfig {
  /** `smtp://` or `smtps://`, optionally with user and password. */
  url: string;
  /** The sender, `Name <address>` or the address alone. */
  from: string;
}

/** @throws ConfigurationError when one of the two is missing */
export function readMail({ SMTP_URL: url, SMTP_FROM: from }: Variables): MailConfig | null {
  if (url && from) return { url, from };
  if (url)
    throw new ConfigurationError(
      'SMTP_FROM must be set with SMTP_URL: the sender of mails, such as Pressroom <no-reply@example.com>.',
    );
  if (from) throw new ConfigurationError('SMTP_URL must be set with SMTP_FROM: the server that sends mails.');
  return null;
}
