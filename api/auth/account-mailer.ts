import type { OnApplicationShutdown } from '@nestjs/common';
import type { MailConfig } from '#libs/config/environment.js';
import type { Mailer, MailerLogger } from '#libs/mail/mailer.js';

export class AccountMailer implements OnApplicationShutdown {
  private constructor(readonly mailer: Mailer | null) {}

  static async create(mail: MailConfig | null, logger: MailerLogger): Promise<AccountMailer> {
    if (mail === null) return new AccountMailer(null);
    const { Mailer } = await import('#libs/mail/mailer.js');
    return new AccountMailer(new Mailer(mail, logger));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.mailer?.close();
  }
}
