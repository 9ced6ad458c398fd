import type { OnApplicationShutdown } from '@nestjs/common';
import type { MailConfig } from '#libs/config/mail.js';
import { Mailer, type MailerLogger } from '#libs/mail/mailer.js';

/** The mailer of local accounts, null where mail is not configured; closed with the process. */
export class AccountMailer implements OnApplicationShutdown {
  readonly mailer: Mailer | null;

  constructor(mail: MailConfig | null, logger: MailerLogger) {
    this.mailer = mail && new Mailer(mail, logger);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.mailer?.close();
  }
}
