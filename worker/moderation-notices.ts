import { DataSource } from 'typeorm';
import { provideClass, value, valueFrom } from '#libs/config/provide-class.js';
import { ModerationNotices } from '#libs/creations/moderation-notices.js';
import { ConfiguredMailer } from '#libs/mail/configured-mailer.js';
import { logErrors } from '#libs/observability/log-errors.js';

/** Mails owners about decisions on what they published. */
export const moderationNotices = provideClass(ModerationNotices, [
  DataSource,
  valueFrom(ConfiguredMailer, ({ mailer }) => mailer),
  value(({ publicUrl }) => publicUrl),
  value(() => logErrors('Moderation mails')),
]);
